import { UsageError } from "../../errors.ts";

/** A direct message: a text, a medium, or both. */
export interface NewMessage {
  readonly text?: string | undefined;
  /** One id from the media upload. */
  readonly mediaId?: string | undefined;
}

/**
 * The body that sends a message.
 *
 * @throws UsageError for a message with nothing in it.
 */
export function messageBody({ text, mediaId }: NewMessage): object {
  if ((text === undefined || text === "") && mediaId === undefined) {
    throw new UsageError("a message has neither text nor a medium", {
      hint: 'give it a text: { text: "…" }',
    });
  }
  return { text, attachments: mediaId === undefined ? undefined : [{ media_id: mediaId }] };
}
