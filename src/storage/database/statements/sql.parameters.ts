import { type RawBuilder, sql } from 'kysely'

/**
 * A whole number as a parameter of a statement that is planned once. With an uncast number, SQLite plans the statement
 * again on every run if the number is a limit or an offset, or if it is compared with a column that a partial index
 * uses.
 */
export function bigintParameter(number: number): RawBuilder<number> {
  return sql<number>`cast(${number} as bigint)`
}

/** A text as a parameter of a statement that is planned once. For the same reason: two indexes have only events. */
export function textParameter<T extends string>(text: T): RawBuilder<T> {
  return sql<T>`cast(${text} as text)`
}

/**
 * Represents a value while its statement is compiled (`compiledStatement`). A statement that computes with the
 * value, and does not only pass it on, fails the first time it runs.
 */
export class Placeholder {
  readonly name: string
  readonly toParameter: (value: unknown) => unknown

  constructor(name: string, toParameter: (value: unknown) => unknown = (value) => value) {
    this.name = name
    this.toParameter = toParameter
  }

  [Symbol.toPrimitive] = () => this.refuse();
  [Symbol.iterator] = () => this.refuse()
  toJSON = () => this.refuse()

  private refuse(): never {
    throw new Error(`“${this.name}” has no value while its statement is compiled: use parameterOf.`)
  }
}

/** Converts a value to a parameter of a statement, also if the value is not known until the statement runs. */
export function parameterOf<T>(value: T, toParameter: (value: T) => unknown): unknown {
  return value instanceof Placeholder
    ? new Placeholder(value.name, toParameter as (value: unknown) => unknown)
    : toParameter(value)
}
