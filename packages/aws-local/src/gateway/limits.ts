/** How much the gateway takes. */
export interface Limits {
  /** Bytes of a request body. */
  body: number;
  /** Bytes of the event that carries it to the function: base64 and JSON included. */
  payload: number;
  /** Bytes of a streamed answer. */
  stream: number;
  /** Bytes of a streamed answer that are passed on at once, and how many a second after them. */
  unpaced: number;
  pace: number;
  /** Bytes of request line and headers. */
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
 * A laptop's: large files can be tried without the detour over an upload. A body reaches the function as one text of
 * four thirds of its size, and V8 makes no text longer than 512 MB.
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
 * Most of a request body that a function of this size can take: while it parses the event its heap holds the text
 * twice, each time four thirds of the body, and has to leave room for the work itself.
 */
export function bodyLimit(limits: Limits, memoryMb: number): number {
  return Math.min(limits.body, Math.floor((memoryMb * MB) / 4));
}
