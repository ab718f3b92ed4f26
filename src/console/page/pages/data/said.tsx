import type { SandboxActivity } from "../../../../sandbox/control/objects.ts";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";

interface SaidProps {
  readonly kind: "post" | "message";
  readonly all: readonly SandboxActivity[];
  readonly handleOf: (id: string | undefined) => string;
}

/** Posts or messages, newest first. */
export function Said({ kind, all, handleOf }: SaidProps) {
  const rows = all.filter((one) => one.kind === kind).toReversed();
  if (rows.length === 0) return <Empty>There is none yet. Make one on the page Chat.</Empty>;
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={`${kind}s, newest first`}>
      <table>
        <thead>
          <tr>
            <th>When</th>
            <th>By</th>
            {kind === "message" && <th>To</th>}
            <th>Text</th>
            <th>Id</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, at, by, to, text, ref }) => (
            <tr key={id}>
              <td class="nowrap">
                <Time at={at} withDate />
              </td>
              <td>{handleOf(by)}</td>
              {kind === "message" && <td>{handleOf(to)}</td>}
              <td>{text ?? "it is gone"}</td>
              <td class="mono">
                <a href={`/data/${kind}s/${ref ?? ""}`}>{ref}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
