import { toast } from "../frame/toasts.tsx";

/** Copies a text: `curl`, JSON, a command. @param label What is copied, as "Copy as curl". */
export function CopyButton({ label, text }: { label: string; text: string | (() => string) }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(typeof text === "string" ? text : text());
    toast("Copied.");
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {label}
    </button>
  );
}
