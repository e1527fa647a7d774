/** The main job from end to end, for a person who has just cloned the repository. */
package io.github.mssqlcdc.quickstart;
