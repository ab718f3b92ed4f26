import * as z from "zod";
import { NAME_LENGTH } from "../../protocol/limits.ts";

/** A user's handle, without the `@`. */
export const username = z
  .string()
  .regex(/^[A-Za-z0-9_]{1,15}$/, "write 1 to 15 letters, digits or _");

/** The name that is shown. */
export const displayName = z.string().min(1).max(NAME_LENGTH);

const text = z.string();

/** Further fields of the user object, under their wire names, as people may be given them. */
export const profileFields = {
  description: text,
  location: text,
  url: text,
  profile_image_url: text,
  profile_banner_url: text,
  protected: z.boolean(),
  verified: z.boolean(),
  verified_type: z.enum(["blue", "government", "business", "none"]),
  verified_followers_count: z.int().min(0),
  pinned_post_id: text,
  most_recent_post_id: text,
  subscription_type: z.enum(["Basic", "Premium", "PremiumPlus", "None"]),
  is_identity_verified: z.boolean(),
  parody: z.boolean(),
  receives_your_dm: z.boolean(),
  suspended: z.boolean(),
  public_metrics: z.record(z.string(), z.int().min(0)),
  entities: z.record(z.string(), z.unknown()),
  affiliation: z.record(z.string(), z.unknown()),
  withheld: z.record(z.string(), z.unknown()),
};

const profileSchema = z.strictObject(profileFields).partial();

/** A profile as it is kept: held to what may be set. */
export const profile = z.record(z.string(), z.unknown()).check((context) => {
  const result = profileSchema.safeParse(context.value);
  for (const { path, message } of result.error?.issues ?? []) {
    context.issues.push({ code: "custom", message, path: [...path], input: context.value });
  }
});
