// oxlint-disable-next-line no-control-regex -- these are what is dropped
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/g;
/** Characters with which the platform rejects a post. */
const REFUSED = /[\ufeff\ufffe\uffff]/g;
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;
const LONE = /\p{Surrogate}/gu;

/**
 * Cleans a value to insert into a text: removes control characters, and characters that change the direction of text.
 */
export function seen(value: string): string {
  return withoutRefused(value).replaceAll(DIRECTION, "");
}

/** Cleans a text to send: like {@link seen}, but keeps the direction marks U+061C, U+200E and U+200F. */
export function sendable(text: string): string {
  return withoutRefused(text).replaceAll(OVERRIDES, "");
}

function withoutRefused(text: string): string {
  return text.replaceAll(CONTROLS, "").replaceAll(REFUSED, "").replaceAll(LONE, "\ufffd");
}
