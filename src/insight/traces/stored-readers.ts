import { escalationQuery, itemQuery, journalQuery } from "../../runtime/control.ts";
import type { EscalationPort, ReadPort } from "../../runtime/vocabulary.ts";
import type { EntryReader } from "./journal-pages.ts";
import type { TraceNeeds } from "./needs.ts";

/**
 * Returns functions that read a store directly, with the default and maximum limits of the runtime's control interface.
 */
export function storedReaders(
  store: Pick<ReadPort, "journal" | "items"> & Pick<EscalationPort, "escalations">,
): Pick<TraceNeeds, "journal" | "outbox" | "escalations"> & EntryReader {
  return {
    journal: (query) => store.journal(journalQuery.parse(query)),
    entries: (query) => store.journal({ ...journalQuery.parse(query), bare: true }),
    outbox: (query) => store.items(itemQuery.parse(query)),
    escalations: (query) => {
      const { state, ...rest } = escalationQuery.parse(query);
      return store.escalations(state === undefined ? rest : { ...rest, open: state === "open" });
    },
  };
}
