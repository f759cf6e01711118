/** The gateway's limits. */
export interface Limits {
  /** Maximum bytes of a request body. */
  body: number;
  /** Maximum bytes of the event with the body, including base64 and JSON. */
  payload: number;
  /** Maximum bytes of a streamed response. */
  stream: number;
  /** Bytes of a streamed response that are sent at full speed, and the bytes per second after them. */
  unpaced: number;
  pace: number;
  /** Maximum bytes of request line and headers. */
  headers: number;
}

const MB = 1024 * 1024;

/** API Gateway's and Lambda's own quotas. */
export const STRICT: Limits = {
  body: 10 * MB,
  payload: 6_291_556,
  stream: 200 * MB,
  unpaced: 10 * MB,
  pace: 2 * MB,
  headers: 10_240,
};

/**
 * Limits for a laptop: large files can be tried without an upload. A body reaches the function as one text of
 * four thirds of its size, and V8 limits a text to 512 MB.
 */
export const RELAXED: Limits = {
  body: 256 * MB,
  payload: 384 * MB,
  stream: Infinity,
  unpaced: Infinity,
  pace: Infinity,
  headers: 16_384,
};

/**
 * Returns the maximum request body in bytes for a function's memory: while it parses the event, its heap
 * contains the text twice, each time four thirds of the body, and needs room for the work itself.
 */
export function bodyLimit(limits: Limits, memoryMb: number): number {
  return Math.min(limits.body, Math.floor((memoryMb * MB) / 4));
}
