/**
 * Gives the warnings of this thread's Node, of outdated calls for instance, to `tell` instead of printing them to
 * stderr. Where Node was started with `--no-warnings`, nothing is told.
 *
 * @returns Ends that: Node prints them again.
 */
export function tellWarnings(tell: (text: string) => void): () => void {
  // Node's own listener is the one that prints; those of others stay.
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
