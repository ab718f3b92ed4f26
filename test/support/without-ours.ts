/** Environment without the variables that configure the toolkit or its tests, as a new user has it. */
export function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("ANSWERBACK_")),
  );
}
