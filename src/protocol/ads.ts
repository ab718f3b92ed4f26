/**
 * Kinds of conversions in the API for measuring advertisements. Source of the lists in this file: the platform's API
 * documentation.
 */
export const CONVERSION_TYPES = [
  "ACHIEVEMENT_UNLOCKED",
  "ADDED_PAYMENT_INFO",
  "ADD_TO_CART",
  "ADD_TO_WISHLIST",
  "CHECKOUT_INITIATED",
  "CONTENT_VIEW",
  "INSTALL",
  "INVITE",
  "LEVEL_ACHIEVED",
  "LOGIN",
  "PURCHASE",
  "RATED",
  "RESERVATION",
  "RE_ENGAGE",
  "SEARCH",
  "SHARE",
  "SIGN_UP",
  "SPENT_CREDITS",
  "TUTORIAL_COMPLETE",
  "UPDATE",
] as const;

export const OS_TYPES = ["IOS", "ANDROID"] as const;
export const ENGAGEMENT_TYPES = ["CLICK", "VIEW"] as const;

/** Possible attribution windows of clicks, in days. */
export const CLICK_WINDOWS = [1, 7, 14, 30] as const;

/** Possible attribution windows of views, in days; 0 turns views off. */
export const VIEW_WINDOWS = [0, 1, 7, 14, 30] as const;

/** Version segment in the paths of the API for measuring advertisements. */
export const ADS_VERSION = "12";

export type ConversionType = (typeof CONVERSION_TYPES)[number];
export type OsType = (typeof OS_TYPES)[number];
export type EngagementType = (typeof ENGAGEMENT_TYPES)[number];
