// oxlint-disable-next-line no-control-regex -- these are what is dropped
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/g;
/** The platform refuses a post with one of these. */
const REFUSED = /[\ufeff\ufffe\uffff]/g;
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;
const LONE = /\p{Surrogate}/gu;

/** A value that stands in a text: no control characters, and none that turn the direction of what follows. */
export function seen(value: string): string {
  return withoutRefused(value).replaceAll(DIRECTION, "");
}

/** A text that leaves: as `seen`, but the marks of direction that its author wrote stay. */
export function sendable(text: string): string {
  return withoutRefused(text).replaceAll(OVERRIDES, "");
}

function withoutRefused(text: string): string {
  return text.replaceAll(CONTROLS, "").replaceAll(REFUSED, "").replaceAll(LONE, "\ufffd");
}
