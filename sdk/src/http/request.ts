import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import { pause, unlessAborted } from "./abortable";
import { answerError, type ErrorFor } from "./answer-error";
import { DEFAULT_TIMEOUTS, dispatcherFor, type Timeouts } from "./connections";
import {
  AmbiguousError,
  UnexpectedAnswerError,
  UnreachableError,
} from "./errors";
import { failureCode, failureOutcome, forgetContent } from "./failure";
import type { Redactor } from "./redact";
import {
  decide,
  DEFAULT_RETRY,
  delay,
  parseRetryAfter,
  type Decision,
  type Outcome,
  type RetryPolicy,
} from "./retry";
import type { Throttle } from "./throttle";
import { USER_AGENT } from "./user-agent";

/** Options of every call. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

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
  /**
   * How the service answers when there is nothing left to do. After an attempt
   * whose answer was lost, it says that this one was carried out.
   */
  readonly goneStatus?: number;
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
  /** Called after each attempt; what it throws is told as a warning of the process. */
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
  const call = {
    ...asked,
    operation,
    signal: eitherSignal(transport.signal, asked.signal),
  };
  const policy = transport.retry ?? DEFAULT_RETRY;
  // One signal may end any number of calls; Node warns from the 11th on.
  if (call.signal) setMaxListeners(0, call.signal);
  await transport.throttle?.take(call.signal);
  const startedAt = performance.now(); // Waiting for the first turn is not retrying.
  let mayBeDone = false;
  for (let attempt = 1; ; attempt++) {
    const tried = await attemptOnce(transport, call, attempt);
    const { outcome, answer } = tried;
    if (mayBeDone && answer && answer.status === call.goneStatus)
      return undefined;
    mayBeDone ||= maybeCarriedOut(outcome);
    const wait = delay(outcome, attempt, policy, Math.random());
    const after = (elapsedMs: number) =>
      decide(outcome, { ...call, attempt, elapsedMs }, policy);
    const elapsedMs = performance.now() - startedAt + wait;
    const isRepeated = after(elapsedMs) === "retry";
    if (answer?.status === 429)
      // A service that asks for an hour must not hold up later calls for one.
      transport.throttle?.drain(
        isRepeated ? wait : Math.min(wait, policy.maxDelayMs),
      );
    if (isRepeated) {
      await pause(wait, call.signal);
      const leftMs = policy.budgetMs - elapsedMs;
      if (await hasTurnWithin(leftMs, transport, call)) continue;
    }
    return conclude(transport, call, after(Infinity), { ...tried, attempt });
  }
}

/** Waits for the throttle, but not longer than the retry budget. */
async function hasTurnWithin(
  leftMs: number,
  { throttle }: Transport,
  { signal }: Call,
): Promise<boolean> {
  const deadline = AbortSignal.timeout(Math.max(0, Math.floor(leftMs)));
  try {
    await throttle?.take(eitherSignal(signal, deadline));
    return true;
  } catch (error) {
    signal?.throwIfAborted();
    if (deadline.aborted) return false;
    throw error;
  }
}

/** Whether the service may have done what was asked, though no answer says so. */
function maybeCarriedOut(outcome: Outcome): boolean {
  return outcome.kind === "answer"
    ? outcome.status >= 500
    : outcome.phase === "sent";
}

/** The result of a call after its last attempt, or its error. */
function conclude(
  transport: Transport,
  call: Call,
  decision: Decision,
  { answer, failure, attempt }: Tried & { readonly attempt: number },
): unknown {
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
      throw new Error("A call without time left is not repeated.");
    default:
      throw new Error(`Unknown decision: ${String(decision satisfies never)}`);
  }
}

/** A signal that is aborted with the first of two that is; where only one is given, that one. */
function eitherSignal(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

/** What came of one attempt: an answer, or why there is none. */
interface Tried {
  readonly outcome: Outcome;
  readonly answer?: Answer;
  readonly failure?: unknown;
}

async function attemptOnce(
  transport: Transport,
  call: Call,
  attempt: number,
): Promise<Tried> {
  const startedAt = performance.now();
  const report = (result: { status?: number; failure?: string }) =>
    tell(transport, {
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

/** Tells the hook of an attempt. A hook that fails must not lose the answer, which may hold a new token. */
function tell({ onRequest, redactor }: Transport, info: RequestInfo): void {
  try {
    onRequest?.(info);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.emitWarning(
      redactor.redact(`onRequest of a client failed: ${reason}`),
    );
  }
}

async function send(
  { timeouts = DEFAULT_TIMEOUTS }: Transport,
  call: Call,
): Promise<Answer> {
  const dispatcher = dispatcherFor(call.url, timeouts);
  const deadline = AbortSignal.timeout(timeouts.attemptTimeoutMs);
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
    signal: eitherSignal(call.signal, deadline),
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
