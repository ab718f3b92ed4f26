import { told } from "../frame/toasts.tsx";

/** Copies a text: `curl`, JSON, a command. @param label What is copied, as "Copy as curl". */
export function CopyButton({ label, text }: { label: string; text: string | (() => string) }) {
  const copy = (): Promise<unknown> =>
    told(navigator.clipboard.writeText(typeof text === "string" ? text : text()), () => "Copied.");
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {label}
    </button>
  );
}
