/**
 * Invisible marks of direction, as a part of a character class. Apps put them around a handle in a text of
 * right-to-left script.
 */
export const DIRECTION_MARKS = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
