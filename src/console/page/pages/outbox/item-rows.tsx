import { CardTable } from "../../parts/card-table.tsx";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { Time } from "../../parts/time.tsx";

type Item = QuestionAnswers["outboxItems"][number];

const TONES: Readonly<Record<Item["status"], Tone>> = {
  pending: "info",
  sending: "info",
  sent: "good",
  held: "warn",
  unknown: "warn",
  failed: "bad",
  expired: "bad",
};

export function StatusChip({ status }: Pick<Item, "status">) {
  return <Chip tone={TONES[status]}>{status}</Chip>;
}

interface RowsProps {
  readonly rows: readonly Item[];
  /** Handles of the bot's accounts, by id. */
  readonly handles: ReadonlyMap<string, string>;
}

/** Items, newest first. */
export function ItemRows({ rows, handles }: RowsProps) {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Items">
      <CardTable>
        <thead>
          <tr>
            <th class="number">Item</th>
            <th>Status</th>
            <th>What</th>
            <th>By</th>
            <th class="number">Tries</th>
            <th>When</th>
            <th>For</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((item) => (
            <tr key={item.id}>
              <td class="number">
                <a href={`/outbox/${item.id}${location.search}`}>{item.id}</a>
              </td>
              <td>
                <StatusChip status={item.status} />
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
        </tbody>
      </CardTable>
    </div>
  );
}
