import { CardTable } from "../../parts/card-table.tsx";
import { countedAs } from "../../../../runtime/records.ts";
import type { CountedStatus } from "../../../../runtime/vocabulary.ts";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { Time } from "../../parts/time.tsx";

type Item = QuestionAnswers["outboxItems"][number];

const TONES: Readonly<Record<CountedStatus, Tone>> = {
  pending: "info",
  sending: "info",
  sent: "good",
  held: "warn",
  unknown: "warn",
  failed: "bad",
  dropped: "idle",
  expired: "bad",
};

export function StatusChip(item: Pick<Item, "status" | "reason">) {
  const status = countedAs(item);
  return <Chip tone={TONES[status]}>{status}</Chip>;
}

interface RowsProps {
  readonly rows: readonly Item[];
  /** Handles of the bot accounts, by user id. */
  readonly handles: ReadonlyMap<string, string>;
}

/** Lists outbox items, newest first. */
export function ItemRows({ rows, handles }: RowsProps) {
  return (
    <CardTable
      label="Items"
      columns={[["Item", "number"], "Status", "What", "By", ["Attempts", "number"], "When", "For"]}
    >
      {rows.map((item) => (
        <tr key={item.id}>
          <td class="number">
            <a href={`/outbox/${item.id}${location.search}`}>{item.id}</a>
          </td>
          <td>
            <StatusChip {...item} />
            {item.reason !== undefined && <div class="soft outbox-why">{item.reason}</div>}
          </td>
          <td class="outbox-what">{item.inWords}</td>
          <td>
            <span class="nowrap">@{handles.get(item.account) ?? item.account}</span>
            {item.operator !== undefined && <div class="soft">by hand by {item.operator}</div>}
          </td>
          <td class="number">{item.attempts}</td>
          <td class="nowrap">
            <Time at={item.settledAt ?? item.startedAt ?? item.notBefore} />
          </td>
          <td class="nowrap">
            <a href={`/traces/${item.seq}`}>event {item.seq}</a>
          </td>
        </tr>
      ))}
    </CardTable>
  );
}
