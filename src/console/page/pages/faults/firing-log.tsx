import { useEffect, useRef, useState } from "preact/hooks";
import type { ActiveFault } from "../../../../sandbox/control/objects.ts";
import { platformNow } from "../../frame/clock.ts";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { whatOf } from "./wordings.ts";

interface Firing {
  readonly key: string;
  readonly at: number;
  readonly id: string;
  readonly times: number;
  readonly what: string;
}

const MOST = 100;

/** When which fault happened, as long as the page is open; newest first. */
export function FiringLog({ faults }: { readonly faults: readonly ActiveFault[] }) {
  const [log, setLog] = useState<readonly Firing[]>([]);
  const known = useRef<ReadonlyMap<string, number>>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = new Map(faults.map(({ id, hits }) => [id, hits]));
    if (before === undefined) return;
    const fresh = faults.flatMap((one): readonly Firing[] => {
      const times = one.hits - (before.get(one.id) ?? 0);
      if (times <= 0) return [];
      const key = `${one.id}-${one.hits}`;
      return [{ key, at: platformNow.value, id: one.id, times, what: whatOf(one) }];
    });
    if (fresh.length > 0) setLog((last) => [...fresh, ...last].slice(0, MOST));
  }, [faults]);
  if (log.length === 0) {
    return <Empty>Whenever a fault happens while this page is open, it is told here.</Empty>;
  }
  return (
    <ol class="faults-log" aria-label="What happened, newest first">
      {log.map(({ key, at, id, times, what }) => (
        <li key={key}>
          <Time at={at} /> fault {id} {times === 1 ? "happened" : `happened ${times} times`}:{" "}
          <span class="mono">{what}</span>
        </li>
      ))}
    </ol>
  );
}
