import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import { assertNever } from "../assert-never";
import { answerError, type ErrorFor } from "./answer-error";
import { dispatcherFor, type Timeouts } from "./dispatcher";
import {
  AmbiguousError,
  UnexpectedAnswerError,
  UnreachableError,
} from "./errors";
import { failureCode, failureOutcome, forgetContent } from "./failure";
import { pause } from "./pause";
import type { Redactor } from "./redact";
import {
  decide,
  DEFAULT_RETRY,
  delay,
  parseRetryAfter,
  type Outcome,
  type RetryPolicy,
} from "./retry";
import type { Throttle } from "./throttle";
import { unlessAborted } from "./unless-aborted";
import { USER_AGENT } from "./user-agent";

/** One call of the service. */
export interface Call {
  /** For messages: what is done, to what, as `Creating webhook https://a.example/hook`. Secrets are taken out of it. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Whether repeating the call changes nothing more than doing it once. */
  readonly idempotent: boolean;
  /** Error statuses that a repetition would not change; they are not retried. */
  readonly finalStatuses?: readonly number[];
  readonly signal?: AbortSignal;
}

/** What an `onRequest` hook is told after each attempt; it holds no header, no body and no secret. */
export interface RequestInfo {
  readonly operation: string;
  readonly method: string;
  /** Origin and path, without the query. */
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
  /** Absent when no answer came. */
  readonly status?: number;
  /** Code of the failure when no answer came. */
  readonly failure?: string;
  readonly durationMs: number;
}

/** How calls are carried out. */
export interface Transport {
  readonly throttle?: Throttle;
  readonly redactor: Redactor;
  readonly retry?: RetryPolicy;
  readonly timeouts?: Timeouts;
  /** Called after each attempt; it must not throw. */
  readonly onRequest?: (info: RequestInfo) => void;
  /** Ends every call of the client when it is aborted. */
  readonly signal?: AbortSignal;
  /** Narrower errors than those that go with the status. */
  readonly errorFor?: ErrorFor;
}

interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  readonly text: string;
}

/**
 * Carries out one call: throttled, retried as `decide` says, within the retry
 * budget. Any status below 300 is success; an empty body is `undefined`.
 *
 * @throws a subclass of ServiceError for an error answer, UnreachableError
 * when none came, AmbiguousError when a call that is not idempotent may have
 * been carried out, the signal's reason when it was aborted.
 */
export async function request(
  transport: Transport,
  asked: Call,
): Promise<unknown> {
  const operation = transport.redactor.redact(asked.operation);
  const call = { ...asked, operation, signal: eitherSignal(transport, asked) };
  const policy = transport.retry ?? DEFAULT_RETRY;
  // One signal may end any number of calls; Node warns from the 11th on.
  if (call.signal) setMaxListeners(0, call.signal);
  let startedAt: number | undefined;
  for (let attempt = 1; ; attempt++) {
    await transport.throttle?.take(call.signal);
    startedAt ??= performance.now(); // Waiting for the first turn is not retrying.
    const { outcome, answer, failure } = await attemptOnce(
      transport,
      call,
      attempt,
    );
    const elapsedMs = performance.now() - startedAt;
    const wait = delay(outcome, attempt, policy, Math.random());
    const decision = decide(
      outcome,
      {
        idempotent: call.idempotent,
        finalStatuses: call.finalStatuses,
        attempt,
        elapsedMs: elapsedMs + wait,
      },
      policy,
    );
    switch (decision) {
      case "accept":
        return accept(transport, call, answer);
      case "ambiguous":
        throw new AmbiguousError(
          call.operation,
          answer
            ? `${answer.status} ${errorOf(transport, call, answer).detail}`
            : failureCode(failure),
          { cause: failure },
        );
      case "give-up":
        throw new UnreachableError(
          call.operation,
          call.url.origin,
          failureCode(failure),
          attempt,
          { cause: failure },
        );
      case "retry":
        if (answer?.status === 429) transport.throttle?.drain(wait);
        await pause(wait, call.signal);
        break;
      default:
        return assertNever(decision);
    }
  }
}

/** The signal that ends a call: its own, the client's, or whichever of both comes first. */
function eitherSignal(
  { signal: ofClient }: Transport,
  { signal: ofCall }: Call,
): AbortSignal | undefined {
  return ofClient && ofCall
    ? AbortSignal.any([ofClient, ofCall])
    : (ofClient ?? ofCall);
}

async function attemptOnce(
  transport: Transport,
  call: Call,
  attempt: number,
): Promise<{ outcome: Outcome; answer?: Answer; failure?: unknown }> {
  const startedAt = performance.now();
  const report = (result: { status?: number; failure?: string }) =>
    transport.onRequest?.({
      operation: call.operation,
      method: call.method,
      url: transport.redactor.redact(call.url.origin + call.url.pathname),
      attempt,
      durationMs: performance.now() - startedAt,
      ...result,
    });
  try {
    // The pool heeds the signal only once there is a connection.
    const answer = await unlessAborted(send(transport, call), call.signal);
    report({ status: answer.status });
    const retryAfter = answer.headers["retry-after"];
    return {
      answer,
      outcome: {
        kind: "answer",
        status: answer.status,
        retryAfterMs: parseRetryAfter(
          Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
          Date.now(),
        ),
      },
    };
  } catch (failure) {
    call.signal?.throwIfAborted();
    forgetContent(failure);
    report({ failure: failureCode(failure) });
    return { failure, outcome: failureOutcome(failure) };
  }
}

async function send(transport: Transport, call: Call): Promise<Answer> {
  const dispatcher = dispatcherFor(call.url, transport.timeouts);
  const answer = await dispatcher.request({
    origin: call.url.origin,
    path: call.url.pathname + call.url.search,
    method: call.method,
    headers: {
      accept: "application/json",
      "user-agent": USER_AGENT,
      ...(call.body === undefined
        ? {}
        : { "content-type": "application/json" }),
      ...call.headers,
    },
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
    signal: call.signal,
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: await answer.body.text(),
  };
}

function accept(
  transport: Transport,
  call: Call,
  answer: Answer | undefined,
): unknown {
  if (!answer) throw new Error("An accepted outcome has an answer.");
  if (answer.status >= 400) throw errorOf(transport, call, answer);
  if (answer.status >= 300)
    throw new UnexpectedAnswerError(
      call.operation,
      `${answer.status}, a redirect, which is not followed`,
    );
  if (answer.text === "") return undefined;
  try {
    return JSON.parse(answer.text) as unknown;
  } catch {
    // No cause: the parser quotes what it read, and that may be a new token.
    throw new UnexpectedAnswerError(
      call.operation,
      `${answer.status} with a body that is not JSON`,
    );
  }
}

function errorOf(
  { errorFor, redactor }: Transport,
  { operation }: Call,
  { status, text }: Answer,
) {
  const redact = (part: string) => redactor.redact(part);
  return answerError(operation, status, text, redact, errorFor);
}
