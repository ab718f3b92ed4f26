import { z } from "zod";

const Processing = z.object({
  /** `pending`, `in_progress`, `succeeded`, `failed`, or a state that the platform adds. */
  state: z.string(),
  check_after_secs: z.number().optional(),
  progress_percent: z.number().optional(),
  /** Reason why the platform can't process the media. It may come with the state `in_progress`, which then is final. */
  error: z
    .object({ name: z.string().optional(), message: z.string().optional() })
    .optional()
    .catch(undefined),
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
