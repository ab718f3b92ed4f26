/** An environment without the variables that set up the toolkit or its tests: what is started is as for a new user. */
export function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("ANSWERBACK_")),
  );
}
