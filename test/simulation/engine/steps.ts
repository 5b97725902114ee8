import type { Checkpoints } from "./checkpoints";
import type { DeploymentOptions, EngineHost } from "./engine-host";
import type { Goal } from "./goal";
import { copyOf, type Properties } from "./property-value";
import { comparing, type Provider } from "./provider";
import { HostError } from "../../helpers/protocol-provider";
import { refreshed } from "./refresh";
import { markSecrets, type Resource } from "./resource";

/** What a step does. */
export interface Step {
  readonly op: string;
  readonly urn: string;
  /** The resource after the step. For a delete, the resource before the step. */
  readonly res: Resource;
  readonly old?: Resource | undefined;
  readonly isSkippedCreate?: boolean;
  readonly new?: Resource | undefined;
  apply(): Promise<void>;
  /** Gives the program the result. */
  done?(): void;
  /** Gives the program the result if the step failed or was left out. */
  fail?(): void;
}

/** A protected resource would be deleted. Other steps go on. */
export class ProtectedError extends Error {
  override readonly name = "ProtectedError";
}

/**
 * Makes the steps of one command. A step calls the provider and changes the state
 * (pkg/resource/deploy/step.go).
 */
export class Steps {
  /** @param isDeleted whether the command deletes the resource with a URN */
  constructor(
    private readonly options: DeploymentOptions,
    private readonly host: EngineHost,
    private readonly checkpoints: Checkpoints,
    private readonly isDeleted: (urn: string) => boolean,
  ) {}

  /** Reads an object when the program declares it. `found` is called with the result. */
  refresh(
    old: Resource,
    found: (now: Resource | undefined) => void,
    fail: (error: unknown) => void,
  ): Step {
    let now: Resource | undefined;
    return {
      op: "refresh",
      urn: old.urn,
      res: old,
      old,
      apply: async () => {
        try {
          now =
            old.isCustom && !old.isPendingReplacement
              ? await refreshed(old, this.host, this.options.isPreview === true)
              : copyOf(old);
        } catch (error) {
          fail(error);
          throw error;
        }
        await this.checkpoints.refreshed(old, now);
      },
      done: () => found(now),
    };
  }

  same(
    old: Resource,
    made: Resource,
    answer?: (resource: Resource) => void,
  ): Step {
    return {
      op: "same",
      urn: made.urn,
      res: made,
      old,
      new: made,
      apply: () => {
        made.id = old.id;
        made.outputs = old.outputs;
        markSecrets(made);
        this.checkpoints.note({ done: old, made });
        return Promise.resolve();
      },
      done: () => answer?.(made),
    };
  }

  skippedCreate(made: Resource, answer: (resource: Resource) => void): Step {
    return {
      op: "same",
      urn: made.urn,
      res: made,
      new: made,
      isSkippedCreate: true,
      apply: () => Promise.resolve(),
      done: () => answer(made),
    };
  }

  create(
    made: Resource,
    answer: (resource: Resource) => void,
    old?: Resource,
    { isOldLeft = false } = {},
  ): Step {
    const { urn } = made;
    const isPreview = this.options.isPreview === true;
    const finish = () => {
      markSecrets(made);
      if (old && isOldLeft) old.isDeleted = true;
      const done = old?.isPendingReplacement ? old : undefined;
      return this.checkpoints.end(made, { made, done });
    };
    return {
      op: old ? "create-replacement" : "create",
      urn,
      res: made,
      old,
      new: made,
      apply: async () => {
        await this.checkpoints.begin("creating", made);
        await this.#written(made, finish, async (provider) => {
          const { inputs } = made;
          const answered = await provider.create({ urn, inputs, isPreview });
          made.id = answered.id;
          return answered.outputs;
        });
      },
      done: () => answer(made),
      fail: () => answer({ ...made, id: "", outputs: {} }),
    };
  }

  /**
   * Has the provider make or change a resource.
   * @param call returns the outputs, and sets the ID of a new resource
   */
  async #written(
    made: Resource,
    finish: () => Promise<void>,
    call: (provider: Provider) => Promise<Properties>,
  ): Promise<void> {
    const isPreview = this.options.isPreview === true;
    if (!made.isCustom) return finish();
    const provider = this.host.provider(made.provider);
    if (isPreview && !provider.supportsPreview) {
      made.outputs = copyOf(made.inputs);
      return finish();
    }
    try {
      made.outputs = await call(provider);
    } catch (error) {
      if (!(error instanceof HostError) || !error.kept) {
        await this.checkpoints.end(made);
        throw error;
      }
      made.id ||= error.kept.id;
      made.outputs = error.kept.properties;
      made.initErrors = [...error.kept.reasons];
      await finish();
      throw error;
    }
    if (made.id === "" && !isPreview)
      throw new Error("provider did not return an ID from Create");
    await finish();
  }

  update(
    old: Resource,
    made: Resource,
    goal: Goal,
    answer: (resource: Resource) => void,
  ): Step {
    const { urn } = made;
    const isPreview = this.options.isPreview === true;
    const finish = () => {
      markSecrets(made);
      return this.checkpoints.end(made, { done: old, made });
    };
    return {
      op: "update",
      urn,
      res: made,
      old,
      new: made,
      apply: async () => {
        made.id = old.id;
        made.outputs = old.outputs;
        await this.checkpoints.begin("updating", made);
        await this.#written(made, finish, async (provider) => {
          const answered = await provider.update(
            comparing(old, made, goal.ignoreChanges, isPreview),
          );
          return answered.outputs;
        });
      },
      done: () => answer(made),
      fail: () => answer({ ...made, id: "", outputs: {} }),
    };
  }

  delete(old: Resource, { isReplaced = false, isPending = false } = {}): Step {
    const { urn } = old;
    return {
      op: isReplaced ? "delete-replaced" : "delete",
      urn,
      res: old,
      old,
      apply: async () => {
        if (!isReplaced && old.protect)
          throw new ProtectedError(
            `resource "${urn}" cannot be deleted because it is protected.`,
          );
        if (this.options.isPreview) return;
        const isLeft =
          old.retainOnDelete ||
          !old.isCustom ||
          (old.deletedWith !== undefined && this.isDeleted(old.deletedWith));
        await this.checkpoints.begin("deleting", old);
        try {
          if (!isLeft)
            await this.host.provider(old.provider).delete({
              urn,
              id: old.id,
              inputs: old.inputs,
              outputs: old.outputs,
            });
        } catch (error) {
          await this.checkpoints.end(old);
          throw error;
        }
        if (isPending) old.isPendingReplacement = true;
        await this.checkpoints.end(old, isPending ? {} : { done: old });
      },
    };
  }

  removePending(old: Resource): Step {
    return {
      op: "remove-pending-replace",
      urn: old.urn,
      res: old,
      old,
      apply: async () => {
        this.checkpoints.note({ done: old });
        await Promise.resolve();
      },
    };
  }
}
