/** Where the settings file is looked for when none is named. */
export const DEFAULT_SETTINGS_FILE = "config/answerback.yaml";

/** The settings of the live platform, beside those of the sandbox. */
export const LIVE_SETTINGS_FILE = "config/live.yaml";

/** Where the data is, from the settings file, that nobody has named a folder for. */
export const DEFAULT_DATA = "../data";
