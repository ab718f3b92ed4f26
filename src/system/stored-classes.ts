type ErrorClass = abstract new (...parameters: never) => Error;

interface StoredClass {
  readonly name: string;
  readonly Class: ErrorClass;
  /** Fields that are stored although they are lists or objects. */
  readonly fields: readonly string[];
}

const storedClasses: StoredClass[] = [];

/**
 * Registers an error class of this package, so that an error that a bot's step throws gets its class back when it is
 * read from the step's record.
 *
 * @param fields Names of the fields that hold lists or objects. Simple fields are stored in any case.
 */
export function storesClass(name: string, Class: ErrorClass, fields: readonly string[] = []): void {
  storedClasses.push({ name, Class, fields });
}

/** Returns the registered class of an error; undefined if it has none. */
export function storedClassOf(error: Error): StoredClass | undefined {
  return storedClasses.find(({ Class }) => error instanceof Class);
}

/** Returns a registered class by its name; undefined if its module is not loaded. */
export function storedClassNamed(name: string): ErrorClass | undefined {
  return storedClasses.find((stored) => stored.name === name)?.Class;
}
