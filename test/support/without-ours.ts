/** Returns the environment that a new user has: without the variables `ANSWERBACK_…`. */
export function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("ANSWERBACK_")),
  );
}
