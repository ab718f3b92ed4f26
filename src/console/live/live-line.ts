/** A line of the stream. An empty line is a heartbeat. */
export type LiveLine =
  | { readonly kind: "hello"; readonly stream: string }
  | { readonly kind: "gap" }
  | {
      readonly kind: "batch";
      /** Stream name and number of the runtime's latest event. As `last-event-id`, it continues after that event. */
      readonly id: string;
      readonly runtime: readonly unknown[];
      readonly sandbox: readonly unknown[];
      readonly log: readonly unknown[];
    };
