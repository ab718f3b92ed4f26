import { useState } from "preact/hooks";
import type { Trace } from "../../../../insight/traces/trace.ts";
import type { Sequence } from "../../../operations/sequence.ts";
import type { SessionAnswer } from "../../../operations/session.ts";
import { ask, command } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { fileOf } from "./trace-file.ts";

interface ShareProps {
  readonly trace: Trace;
  readonly sequence: Sequence;
  readonly session: SessionAnswer;
}

/** Buttons that export a trace: as a rule test, as a file without personal data, or as JSON. */
export function ShareBar({ trace, sequence, session }: ShareProps) {
  const [saved, setSaved] = useState<string>();
  const of = String(trace.event.seq);
  const save = async (): Promise<void> => {
    const written = await notify(command("saveTest", { of }), ({ path }) => `Saved as ${path}.`);
    if (written !== undefined) setSaved(written.command);
  };
  const share = async (texts: boolean): Promise<void> => {
    const sharedFile = await notify(ask("sharedTrace", { of, texts }));
    if (sharedFile !== undefined) download(`trace-${of}.html`, sharedFile.html);
  };
  return (
    <>
      <div class="row">
        <button type="button" disabled={session.role !== "operator"} onClick={() => void save()}>
          Save as test
        </button>
        <button type="button" onClick={() => void share(false)}>
          Share without names
        </button>
        <button type="button" class="quiet" onClick={() => void share(true)}>
          Share with texts
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => download(`trace-${of}.json`, fileOf({ trace, sequence }))}
        >
          Download
        </button>
        <CopyButton label="Copy as JSON" text={() => JSON.stringify(trace, null, 2)} />
      </div>
      {saved !== undefined && (
        <p class="notice" role="status">
          Run it with: <code>{saved}</code>
        </p>
      )}
    </>
  );
}

/** Lets the browser download a text as a file. */
function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
