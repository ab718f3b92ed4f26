/** Default path of the settings file. */
export const DEFAULT_SETTINGS_FILE = "config/answerback.yaml";

/** Settings file of the live platform, beside that of the sandbox. */
export const LIVE_SETTINGS_FILE = "config/live.yaml";

/** Default data folder, relative to the settings file. */
export const DEFAULT_DATA = "../data";
