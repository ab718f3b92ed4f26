import type { Response } from "express";

/** Sends an error as the response: `{error: {code, message}}`. */
export function refuse(response: Response, status: number, code: string, message: string): void {
  response.status(status).json({ error: { code, message } });
}
