import { z } from "zod";

const Processing = z.object({
  /** `pending`, `in_progress`, `succeeded`, `failed`, or a state that the platform adds. */
  state: z.string(),
  check_after_secs: z.number().optional(),
  progress_percent: z.number().optional(),
});

/** Uploaded media. If `processing_info` is present, the media can be used only once its `state` is `succeeded`. */
export const UploadedMedia = z.object({
  id: z.string(),
  media_key: z.string().optional(),
  size: z.number().optional(),
  expires_after_secs: z.number().optional(),
  processing_info: Processing.optional(),
});

export type UploadedMedia = z.infer<typeof UploadedMedia>;
