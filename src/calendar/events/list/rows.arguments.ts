import { accepted, oneOf, refused } from '../../../access/http/arguments/argument.rules.ts'
import { filledTextSchema, wordSchema } from '../../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule, Arguments } from '../../../access/http/arguments/argument.ts'
import { isLanguageOf, type Language } from '../../../base/languages/language.ts'
import { eventListArguments } from './list.arguments.ts'

/** What is wrong with an event, as far as its editors should know. */
export const EVENT_CHECKS = ['no-venue', 'no-picture', 'no-alt-text', 'double', 'outdated'] as const
export type EventCheck = (typeof EVENT_CHECKS)[number]

const languageRule: ArgumentRule<Language> = (raw, { config }) =>
  isLanguageOf(config, raw) ? accepted(raw) : refused('fault.enum', { allowed: config.languages.join(', ') })

const { include: _include, post_parent: _parent, password: _password, ...filters } = eventListArguments

/** The filters of the list of events that editors work with, and one by what an event lacks. */
export const countArguments = {
  ...filters,
  without_language: { read: languageRule, schema: filledTextSchema, description: 'without_language', type: 'string' },
} as const satisfies Arguments

export const rowArguments = {
  ...countArguments,
  names_language: { read: languageRule, schema: filledTextSchema, description: 'names_language', type: 'string' },
  check: { read: oneOf(EVENT_CHECKS), schema: wordSchema(EVENT_CHECKS), description: 'check.events', type: 'string' },
} as const satisfies Arguments
