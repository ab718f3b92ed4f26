import { CardTable } from "../../parts/card-table.tsx";
import { Component } from "preact";
import { useState } from "preact/hooks";
import { Exchange } from "../../parts/exchange.tsx";
import { duration } from "../../parts/duration.ts";
import { Time } from "../../parts/time.tsx";
import { AttemptDots } from "./attempt-dots.tsx";
import { type DeliveryRow, type FeedRow, isEvent } from "./rows.ts";

interface TableProps {
  readonly rows: readonly FeedRow[];
  readonly hasSandbox: boolean;
  /** Called when a person opens or selects a row. The feed is then paused, so that the row does not move. */
  readonly onHold: () => void;
  readonly handles: ReadonlyMap<string, string>;
  /** Ids of the rows that are selected. */
  readonly picked: ReadonlySet<string>;
  readonly onPick: (change: (last: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

/** Shows the feed, newest row first. A row can be opened to show its HTTP exchanges. */
export function FeedTable({ rows, hasSandbox, onHold, handles, picked, onPick }: TableProps) {
  const [open, setOpen] = useState<string>();
  const events = rows.filter(isEvent);
  const areAll = events.length > 0 && events.every(({ id }) => picked.has(id));
  const selectAll = (
    <input
      type="checkbox"
      aria-label="Select all shown"
      checked={areAll}
      onChange={() => {
        onHold();
        onPick(() => new Set(areAll ? [] : events.map(({ id }) => id)));
      }}
    />
  );
  return (
    <CardTable
      class="feed"
      label="Feed, newest first"
      columns={[
        hasSandbox ? selectAll : "",
        "Time",
        "Event",
        "For",
        "Attempts",
        ["Took", "number"],
      ]}
    >
      {rows.map((row) => (
        <Row
          key={row.id}
          row={row}
          isOpen={open === row.id}
          hasSandbox={hasSandbox}
          isPicked={picked.has(row.id)}
          handles={handles}
          pick={() => {
            onHold();
            onPick((last) => {
              const next = new Set(last);
              return next.delete(row.id) ? next : next.add(row.id);
            });
          }}
          toggle={() => {
            onHold();
            setOpen((last) => (last === row.id ? undefined : row.id));
          }}
        />
      ))}
    </CardTable>
  );
}

interface RowProps {
  readonly row: FeedRow;
  readonly isOpen: boolean;
  readonly isPicked: boolean;
  readonly hasSandbox: boolean;
  readonly handles: ReadonlyMap<string, string>;
  readonly pick: () => void;
  readonly toggle: () => void;
}

/** A row that renders again only if its own properties change, since the feed has hundreds of rows. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { row, isOpen, isPicked, handles } = this.props;
    return (
      next.row !== row ||
      next.isOpen !== isOpen ||
      next.isPicked !== isPicked ||
      next.handles !== handles
    );
  }

  override render() {
    const { row, isOpen, isPicked, hasSandbox, handles, pick, toggle } = this.props;
    const last = row.kind === "delivery" ? row.attempts.at(-1) : undefined;
    return (
      <>
        <tr class={row.kind}>
          <td>
            {hasSandbox && isEvent(row) && (
              <input
                type="checkbox"
                aria-label={`Select ${row.name}`}
                checked={isPicked}
                onChange={pick}
              />
            )}
          </td>
          <td class="nowrap">
            <Time at={row.at} />
          </td>
          <td>
            <button type="button" class="quiet" aria-expanded={isOpen} onClick={toggle}>
              {row.name}
            </button>
            {last?.replayed === true && <span class="soft"> replayed</span>}
            {row.kind === "runtime" && <span class="soft"> {about(row)}</span>}
          </td>
          <td class="mono">{handles.get(last?.for_user_id ?? "") ?? last?.for_user_id}</td>
          <td>{row.kind === "delivery" && <AttemptDots attempts={row.attempts} />}</td>
          <td class="number nowrap">{last === undefined ? "" : duration(last.ms)}</td>
        </tr>
        {isOpen && (
          <tr>
            <td colSpan={6}>
              {row.kind === "runtime" ? (
                <pre tabIndex={0}>{JSON.stringify(row.event, null, 2)}</pre>
              ) : (
                hasSandbox && <Exchanges row={row} />
              )}
            </td>
          </tr>
        )}
      </>
    );
  }
}

function about({ event: { data } }: Extract<FeedRow, { kind: "runtime" }>): string {
  const { seq, outcome, status, reason, key, username, account } = {
    seq: undefined,
    outcome: undefined,
    status: undefined,
    reason: undefined,
    key: undefined,
    username: undefined,
    account: undefined,
    ...data,
  };
  const whose = typeof account === "string" ? account : username;
  return [key ?? (seq === undefined ? whose : `event ${seq}`), outcome ?? status, reason]
    .filter((one) => typeof one === "string")
    .join(", ");
}

/** Shows request and response of each attempt. */
function Exchanges({ row }: { row: DeliveryRow }) {
  return (
    <div class="stack">
      {row.attempts.map((attempt) => (
        <Exchange key={attempt.seq} seq={attempt.exchange} />
      ))}
    </div>
  );
}
