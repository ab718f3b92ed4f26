import type { Entry, EntrySource } from "../../../runtime/vocabulary.ts";

/** Journal entries as JSON bytes in memory that worker threads share without copying. */
export type JournalPage = SharedArrayBuffer;

type Row = readonly [
  seq: number,
  key: string,
  account: string,
  lane: string,
  kind: string,
  at: number,
  arrivedAt: number,
  source: EntrySource,
  body: string,
];

/** Writes entries to shared memory, in their order. */
export function pageOf(entries: readonly Entry[]): JournalPage {
  const rows = entries.map(
    ({ seq, key, account, lane, kind, at, arrivedAt, source, body }): Row => [
      seq,
      key,
      account,
      lane,
      kind,
      at,
      arrivedAt,
      source,
      body,
    ],
  );
  const bytes = Buffer.from(JSON.stringify(rows));
  const page = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(page).set(bytes);
  return page;
}

/** Returns the entries of a page, in their order. */
export function entriesIn(page: JournalPage): readonly Entry[] {
  const rows: readonly Row[] = JSON.parse(Buffer.from(page).toString());
  return rows.map(([seq, key, account, lane, kind, at, arrivedAt, source, body]) => {
    return { seq, partition: 0, key, account, lane, kind, at, arrivedAt, source, body };
  });
}
