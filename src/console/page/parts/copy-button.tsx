import { notify } from "./toasts.tsx";

/** Button that copies a text to the clipboard. @param label Label that names the text, such as "Copy as curl". */
export function CopyButton({
  label,
  text,
}: {
  label: string;
  text: string | (() => string | Promise<string>);
}) {
  const copy = async (): Promise<void> =>
    navigator.clipboard.writeText(typeof text === "string" ? text : await text());
  return (
    <button type="button" class="quiet" onClick={() => void notify(copy(), () => "Copied.")}>
      {label}
    </button>
  );
}
