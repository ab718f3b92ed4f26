import type { LedgerRow, Method } from "../kernel/route.ts";

const assumed = (method: Method, path: string, note: string): LedgerRow => ({
  method,
  path,
  fidelity: "assumed",
  note,
});

const published = "The interface names media upload only; as the live service publishes it.";
const older = "The command form that clients of the 1.1 interface send.";

export const ledger: readonly LedgerRow[] = [
  {
    method: "POST",
    path: "/2/media/upload",
    fidelity: "documented",
    section: "Direct message endpoints",
    note: "Its payload is assumed: a whole medium as base64 or multipart, or a command form.",
  },
  assumed("GET", "/2/media/upload", published),
  assumed("POST", "/2/media/upload/initialize", published),
  assumed("POST", "/2/media/upload/:id/append", published),
  assumed("POST", "/2/media/upload/:id/finalize", published),
  assumed("POST", "/2/media/metadata", `${published} Keeps the alternative text alone.`),
  assumed("POST", "/1.1/media/upload.json", older),
  assumed("GET", "/1.1/media/upload.json", older),
  assumed("POST", "/1.1/media/metadata/create.json", older),
  {
    behaviour: "pictures are ready at once, GIFs and videos after 3 seconds of the sandbox's clock",
    fidelity: "assumed",
    note: "One second pending, two in progress; failed where the bytes are of another kind.",
  },
  {
    behaviour: "a finished medium can be attached for 24 hours, an upload finished within 15 days",
    fidelity: "assumed",
    note: "Published numbers of the live service.",
  },
  {
    behaviour: "bytes are measured and thrown away, never decoded or served",
    fidelity: "assumed",
    note: "Bytes that are no known picture are taken as what they were declared to be.",
  },
  {
    behaviour: "a medium is attached only where its category says",
    fidelity: "stricter",
    note: "tweet_ categories to posts, dm_ categories to messages.",
  },
  {
    behaviour: "a media type that does not fit the category is refused",
    fidelity: "stricter",
    note: "The live service may find out later, while processing.",
  },
];
