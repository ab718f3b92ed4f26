/** A line of the event stream between server and page. An empty line is a heartbeat. */
export type LiveLine =
  | { readonly kind: "hello"; readonly stream: string }
  | { readonly kind: "gap" }
  | {
      readonly kind: "batch";
      /**
       * Stream name and number of the runtime's latest event. Sent back as `last-event-id`, it resumes after that
       * event.
       */
      readonly id: string;
      readonly runtime: readonly unknown[];
      readonly sandbox: readonly unknown[];
      readonly log: readonly unknown[];
    };
