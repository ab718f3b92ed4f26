import { signal } from "@preact/signals";
import { notify } from "../../parts/toasts.tsx";
import { Empty } from "../../parts/states.tsx";
import { go } from "../../routing/route.ts";
import { type TraceFile, traceIn } from "./trace-file.ts";
import { Head, Tabs } from "./trace-view.tsx";

const opened = signal<TraceFile | undefined>(undefined);

/** Button that opens a trace file, downloaded from this or another console. */
export function OpenTrace() {
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const read = await notify(file.text().then(traceIn));
    if (read === undefined) return;
    opened.value = read;
    go("/traces/opened");
  };
  return (
    <label>
      Open a downloaded trace{" "}
      <input
        type="file"
        accept=".json"
        onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
      />
    </label>
  );
}

export function OpenedTrace() {
  const read = opened.value;
  if (read === undefined) {
    return (
      <>
        <OpenTrace />
        <Empty>The trace is shown until the page is reloaded.</Empty>
      </>
    );
  }
  return (
    <>
      <Head trace={read.trace} near={{}} />
      <Tabs {...read} />
    </>
  );
}
