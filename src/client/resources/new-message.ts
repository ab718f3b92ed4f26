import { UsageError } from "../../errors.ts";

/** A direct message: a text, media, or both. */
export interface NewMessage {
  readonly text?: string | undefined;
  /** Id from the media upload. */
  readonly mediaId?: string | undefined;
}

/**
 * Returns the request body of a message.
 *
 * @throws UsageError if the message has neither text nor media.
 */
export function messageBody({ text, mediaId }: NewMessage): object {
  if ((text === undefined || text === "") && mediaId === undefined) {
    throw new UsageError("a message has neither text nor a medium", {
      hint: 'give it a text: { text: "…" }',
    });
  }
  return {
    // The platform refuses an empty text, also beside a medium.
    text: text === "" ? undefined : text,
    attachments: mediaId === undefined ? undefined : [{ media_id: mediaId }],
  };
}
