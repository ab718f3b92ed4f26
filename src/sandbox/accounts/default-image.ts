/** Profile picture of a user who has set none. */
export const DEFAULT_IMAGE = "https://images.example/default_profile.png";
