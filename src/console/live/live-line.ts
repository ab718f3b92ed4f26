/** A line of the stream. An empty line is a heartbeat. */
export type LiveLine =
  | { readonly kind: "hello"; readonly stream: string }
  | { readonly kind: "gap" }
  | {
      readonly kind: "batch";
      /** The stream's name and the number of the runtime's latest event: `last-event-id` of a request that goes on after it. */
      readonly id: string;
      readonly runtime: readonly unknown[];
      readonly sandbox: readonly unknown[];
      readonly log: readonly unknown[];
    };
