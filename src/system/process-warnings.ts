/**
 * Passes Node's warnings in this worker or main thread, such as deprecations, to `tell` instead of stderr. Under
 * `--no-warnings`, `tell` is never called.
 *
 * @returns A function that restores Node's own printing.
 */
export function tellWarnings(tell: (text: string) => void): () => void {
  // Removes only Node's own printing listener; other listeners stay.
  const printing = process.listeners("warning").filter(({ name }) => name === "onWarning");
  if (printing.length === 0) return () => {};
  const listener = (warning: Error & { readonly code?: string }): void => {
    const { name, code, message } = warning;
    if (name === "DeprecationWarning" && process.noDeprecation === true) return;
    tell(`${name}${code === undefined ? "" : ` [${code}]`}: ${message}`);
  };
  for (const one of printing) process.off("warning", one);
  process.on("warning", listener);
  return () => {
    process.off("warning", listener);
    for (const one of printing) process.on("warning", one);
  };
}
