import { CopyButton } from "../../parts/copy-button.tsx";

/** Shows new secrets. They can't be shown again after the page is left. */
export function ShownOnce({ secrets }: { readonly secrets: Readonly<Record<string, string>> }) {
  const rows = Object.entries(secrets);
  return (
    <div class="notice warn portal-once" role="status">
      <strong>Shown once.</strong> Copy what you need: afterwards only the last characters are
      shown.
      <dl class="facts">
        {rows.map(([name, secret]) => (
          <>
            <dt>{name}</dt>
            <dd class="mono">{secret}</dd>
          </>
        ))}
      </dl>
      <CopyButton
        label="Copy all"
        text={rows.map(([name, secret]) => `${name}=${secret}`).join("\n")}
      />
    </div>
  );
}
