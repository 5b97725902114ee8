import { setMaxListeners } from "node:events";
import { kindOf } from "../kind-of";
import { anySignal, isAbortSignal, pause } from "./abortable";
import { objectArgument } from "./object-argument";
import { answerError } from "./answer-error";
import { isAboveZero, timerMs, type Some, type Timeouts } from "./timeouts";
import {
  AmbiguousError,
  CallTimeoutError,
  InvalidInputError,
  NotFoundError,
  UnexpectedAnswerError,
  UnreachableError,
  type ErrorCause,
  type ErrorFor,
  type ServiceError,
} from "./errors";
import {
  failureCode,
  failedAttempt,
  forgetContent,
  isTransportFailure,
} from "./failure";
import type { Redactor } from "./redact";
import {
  decide,
  delay,
  isThrottled,
  retryAfterMs,
  retryPolicy,
  retryViolations,
  silenceMs,
  type AttemptResult,
  type RetryPolicy,
} from "./retry";
import { send, type Answer, type Fetch, type HttpRequest } from "./send";
import type { Throttle } from "./throttle";

/** Options of every call. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Bound of the whole call in milliseconds, its wait for the throttle and its retries
   * included. In a walk through pages, each page has this bound.
   */
  readonly timeoutMs?: number | undefined;
  /** Differences from the client's policy: `{ maxAttempts: 1 }` tries once. */
  readonly retry?: Some<RetryPolicy> | undefined;
}

/**
 * Picks the options of a call from an object that also has other members.
 * @throws InvalidInputError for options that are no object, or a signal that is none
 */
export function callOptions(
  options: CallOptions,
  operation: string,
): CallOptions {
  const { signal, timeoutMs, retry } = objectArgument(
    options,
    operation,
    "options",
  );
  // `fetch` takes null for no signal, too.
  const given: unknown = signal ?? undefined;
  if (given === undefined || isAbortSignal(given))
    return { signal: given, timeoutMs, retry };
  throw new InvalidInputError(operation, [
    {
      property: "signal",
      message: `must be an AbortSignal, but is ${kindOf(given)}`,
    },
  ]);
}

/** One call of the service. */
export interface Call extends HttpRequest, CallOptions {
  /**
   * For messages: the operation and its object, such as `Creating webhook
   * https://a.example/hook`, from which the caller has removed secrets.
   */
  readonly operation: string;
  /** Whether repeating the call changes nothing more than doing it once. */
  readonly idempotent: boolean;
  /** Error statuses that a repetition would not change; they are not retried. */
  readonly finalStatuses?: readonly number[];
  /** Error statuses which say that the same call will succeed later. */
  readonly earlyStatuses?: readonly number[];
  /**
   * Whether the call deletes an object. After an attempt whose answer was lost, a NotFoundError
   * means that the attempt was carried out.
   */
  readonly deletes?: boolean;
  /** Whether the deleted object is gone. Default: a GET of the path tells. */
  readonly isGone?: () => Promise<boolean>;
}

/**
 * The argument of an `onRequest` hook, after each attempt. It holds no header, no body
 * and no secret.
 */
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

/** How the calls of a client are carried out. */
export interface TransportOptions {
  /** Bound of each whole call in milliseconds, including its wait for the throttle and its retries. Default: none. */
  readonly timeoutMs?: number | undefined;
  /** Time limits of one attempt. A member that is left out has its default. */
  readonly timeouts?: Some<Timeouts> | undefined;
  /** How often and how long a call is tried. A member that is left out has its default. */
  readonly retry?: Some<RetryPolicy> | undefined;
  /** Sends the requests instead of undici, which is then not loaded. */
  readonly fetch?: Fetch | undefined;
  /** When the signal is aborted, every call ends, and no further call begins. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether an aborted `signal` lets a running attempt of a write finish, so that no
   * object is made without an answer.
   */
  readonly finishesWrites?: boolean | undefined;
  /**
   * Called after each attempt, without headers and body. An error that it throws, or
   * rejects with, becomes a warning of the process.
   */
  readonly onRequest?: ((info: RequestInfo) => void) | undefined;
}

/** How the calls of one surface are carried out. */
export interface Transport extends TransportOptions {
  readonly throttle?: Throttle;
  readonly redactor: Redactor;
  /**
   * Whether answers to reads may begin late, so that only `timeouts` bound the wait for
   * an answer.
   */
  readonly readsMayBeSlow?: boolean;
  /** Returns a more specific error than the error of the status. */
  readonly errorFor?: ErrorFor;
}

/** The progress of a call, which decides the error of its timeout. */
interface Progress {
  /**
   * Whether the service may be working on the call: its request began to be written,
   * and no answer came.
   */
  isSent: boolean;
  /** Whether an earlier attempt may have been carried out. */
  mayBeDone: boolean;
}

/**
 * Carries out one call: throttled, retried as `decide` says, within the retry
 * budget. Any status below 300 is success; an empty body is `undefined`.
 *
 * @throws a subclass of ServiceError for an error answer, UnreachableError when no
 * answer came, CallTimeoutError when the call took longer than `timeoutMs`,
 * AmbiguousError when a call that is not idempotent may have been carried out,
 * ConfigurationError when the proxy of the environment cannot be used, the signal's
 * reason when it was aborted. Errors of the program itself are thrown as they are.
 */
export async function request(
  transport: Transport,
  asked: Call,
): Promise<unknown> {
  const { operation, timeoutMs = transport.timeoutMs } = asked;
  const wrong = [...retryViolations(asked.retry)];
  if (timeoutMs !== undefined && !isAboveZero(timeoutMs))
    wrong.push({ property: "timeoutMs", message: "must be a number above 0" });
  if (wrong.length > 0) throw new InvalidInputError(operation, wrong);
  const deadline =
    timeoutMs === undefined
      ? undefined
      : AbortSignal.timeout(timerMs(timeoutMs));
  const own = anySignal(transport.signal, asked.signal);
  const call: BoundCall = {
    ...asked,
    signal: anySignal(own, deadline),
    attemptSignal:
      transport.finishesWrites && asked.method !== "GET"
        ? anySignal(asked.signal, deadline)
        : anySignal(own, deadline),
  };
  // One signal may end any number of calls. Node warns from the 11th listener on.
  for (const signal of [own, call.signal])
    if (signal) setMaxListeners(0, signal);
  const progress: Progress = { isSent: false, mayBeDone: false };
  try {
    return await attempts(transport, call, progress);
  } catch (error) {
    const isLate = deadline?.aborted === true && error === deadline.reason;
    const isAborted = own?.aborted === true && error === own.reason;
    if (!isLate && !isAborted) throw error;
    if (progress.isSent && !call.idempotent)
      throw new AmbiguousError(
        operation,
        isLate
          ? `no answer within ${timeoutMs} ms`
          : "it was aborted before its answer came",
        { cause: error },
      );
    if (isLate) throw new CallTimeoutError(operation, Number(timeoutMs));
    throw error;
  }
}

/** A call with everything that ends it. */
interface BoundCall extends Call {
  /** Ends an attempt that was sent. `signal` ends the waits between attempts. */
  readonly attemptSignal: AbortSignal | undefined;
}

async function attempts(
  transport: Transport,
  call: BoundCall,
  progress: Progress,
): Promise<unknown> {
  const policy = retryPolicy(transport.retry, call.retry);
  await transport.throttle?.take(call.signal);
  // Duration of attempts and pauses. Waits for the throttle do not count: with many
  // waiting calls, they would use up the budget of each call.
  let elapsedMs = 0;
  let throttled = 0;
  let early = 0;
  for (let attempt = 1; ; attempt++) {
    const counted = () => attempt - (policy.countsAll ? 0 : throttled + early);
    const startedAt = performance.now();
    const silence =
      call.method === "GET" && !transport.readsMayBeSlow
        ? silenceMs({ attempt: counted(), elapsedMs }, policy)
        : undefined;
    const result = await attemptOnce(
      transport,
      call,
      { attempt, silence },
      progress,
    );
    progress.isSent = false;
    elapsedMs += performance.now() - startedAt;
    const answer = result.kind === "answer" ? result : undefined;
    if (
      call.deletes &&
      progress.mayBeDone &&
      answer?.status === 404 &&
      errorOf(transport, call, answer) instanceof NotFoundError
    )
      return undefined;
    progress.mayBeDone ||=
      result.kind === "answer" ? result.status >= 500 : result.phase === "sent";
    let pauseNumber = attempt - throttled;
    let sinceMs = 0;
    if (answer && call.earlyStatuses?.includes(answer.status)) early += 1;
    if (isThrottled(result)) {
      throttled += 1;
      const all = transport.throttle?.refused(startedAt);
      pauseNumber = Math.max(throttled, all?.count ?? 0);
      sinceMs = all?.sinceMs ?? 0;
    } else if (answer) transport.throttle?.answered(startedAt);
    const wait = delay(result, pauseNumber, policy, Math.random());
    const after = (afterMs: number) =>
      decide(
        result,
        { ...call, attempt: counted(), elapsedMs: afterMs },
        policy,
      );
    const isRepeated = after(Math.max(elapsedMs, sinceMs) + wait) === "retry";
    if (answer?.status === 429)
      // If a service asks for a pause of an hour, later calls must not wait for an
      // hour.
      transport.throttle?.drain(
        isRepeated ? wait : Math.min(wait, policy.maxDelayMs),
      );
    if (!isRepeated) {
      const isAmbiguous = after(Infinity) === "ambiguous";
      const tries = { attempt, tookMs: elapsedMs, isAmbiguous };
      const concluded = conclude(transport, call, result, tries);
      // A gateway, too, answers with an empty 200. The call may not have reached the service.
      if (call.deletes && answer?.text === "" && answer.status !== 204)
        await assertGone(transport, call, answer.status);
      return concluded;
    }
    elapsedMs += wait;
    await pause(wait, call.signal);
    await transport.throttle?.take(call.signal, true);
  }
}

/** @throws UnexpectedAnswerError unless the service says that the object of a delete is gone */
async function assertGone(
  transport: Transport,
  call: BoundCall,
  status: number,
): Promise<void> {
  const read: BoundCall = { ...call, method: "GET", deletes: false };
  const progress: Progress = { isSent: false, mayBeDone: false };
  try {
    if (!call.isGone) await attempts(transport, read, progress);
    else if (await call.isGone()) return;
  } catch (error) {
    if (error instanceof NotFoundError) return;
    throw error;
  }
  throw new UnexpectedAnswerError(
    call.operation,
    `${status} without a body, and a read does not say that the object is gone`,
    { isRead: false },
  );
}

/** The attempts of a call. */
interface Tries {
  readonly attempt: number;
  /** Duration of the attempts and the pauses between them. */
  readonly tookMs: number;
  /** Whether the service may have carried out a call that must not be repeated. */
  readonly isAmbiguous: boolean;
}

/** The result of one attempt, with the answer or the failure itself. */
type Tried =
  | (Extract<AttemptResult, { kind: "answer" }> & Answer)
  | (Extract<AttemptResult, { kind: "failure" }> & ErrorCause);

async function attemptOnce(
  transport: Transport,
  { attemptSignal: signal, ...call }: BoundCall,
  { attempt, silence }: Pick<Tries, "attempt"> & { silence?: number },
  progress: Progress,
): Promise<Tried> {
  const startedAt = performance.now();
  const report = (result: { status?: number; failure?: string }) =>
    void reportAttempt(transport, {
      operation: call.operation,
      method: call.method,
      url: call.url.origin + call.url.pathname,
      attempt,
      durationMs: performance.now() - startedAt,
      ...result,
    });
  try {
    const onSent = () => (progress.isSent = true);
    const answer = await send(
      { ...call, signal },
      { ...transport, onSent, silenceMs: silence },
    );
    report({ status: answer.status });
    const pause = retryAfterMs(answer.headers);
    return { kind: "answer", ...answer, retryAfterMs: pause };
  } catch (failure) {
    signal?.throwIfAborted();
    forgetContent(failure);
    // An error of the program, or of a setting, is not told as one of the network.
    const mayBeDone = progress.isSent && !call.idempotent;
    if (
      !mayBeDone &&
      !isTransportFailure(failure, transport.fetch !== undefined)
    )
      throw failure;
    report({ failure: failureCode(failure) });
    return { ...failedAttempt(failure, progress.isSent), cause: failure };
  }
}

/**
 * Calls the hook with an attempt, without secrets in the address. If the hook throws,
 * the answer must not get lost, because it may hold a new token.
 */
async function reportAttempt(
  { onRequest, redactor }: Transport,
  info: RequestInfo,
): Promise<void> {
  try {
    // A hook may be asynchronous.
    await (onRequest?.({
      ...info,
      url: redactor.redact(info.url),
    }) as unknown);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.emitWarning(
      redactor.redact(`onRequest of a client failed: ${reason}`),
    );
  }
}

/** The result of a call after its last attempt, or its error. */
function conclude(
  transport: Transport,
  call: Call,
  result: Tried,
  tries: Tries,
): unknown {
  const { operation, url } = call;
  const { attempt, isAmbiguous } = tries;
  if (result.kind === "failure") {
    const { cause } = result;
    const code = failureCode(cause);
    throw isAmbiguous
      ? new AmbiguousError(operation, code, { cause })
      : new UnreachableError(operation, url.origin, code, attempt, {
          cause,
          isSent: result.phase === "sent",
        });
  }
  const { status, text } = result;
  if (status >= 400) {
    const error = errorOf(transport, call, result, tries);
    throw isAmbiguous
      ? new AmbiguousError(operation, `${status} ${error.detail}`)
      : error;
  }
  const unexpected = (problem: string) =>
    new UnexpectedAnswerError(operation, `${status}${problem}`, {
      isRead: call.method === "GET",
    });
  if (status >= 300) throw unexpected(", a redirect, which is not followed");
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // No cause: the parser's message quotes the answer, which may hold a new token.
    throw unexpected(" with a body that is not JSON");
  }
}

function errorOf(
  { errorFor, redactor }: Transport,
  { operation }: Call,
  answer: Parameters<typeof answerError>[1],
  { attempt, tookMs }: Partial<Tries> = {},
): ServiceError {
  return answerError(
    operation,
    { ...answer, attempts: attempt, tookMs },
    (part) => redactor.redact(part),
    errorFor,
  );
}
