import { spokenLanguageOf } from '../../base/languages/language.ts'
import type { Deps } from '../deps.ts'
import { languageParameterNames } from '../http/addresses.ts'
import { keepFields } from '../http/answers/response.shape.ts'
import { itemsOf, refused } from '../http/arguments/argument.rules.ts'
import { type ArgumentContext, type Arguments, type RawParameters, readArguments } from '../http/arguments/argument.ts'
import { languageArguments, translationArgument } from '../http/arguments/language.argument.ts'
import { reportUnknownParameters } from '../http/arguments/parameter.report.ts'
import { dryRunArgument, dryRunName } from '../http/dry.run.ts'
import { type Endpoint, type EndpointResult, isWrite } from '../http/route.ts'
import type { Exchange } from './exchange.ts'

/** The parameters of a request as they were sent. */
export interface SentParameters {
  readonly parameters: RawParameters
  /** What was sent as `dry_run`, in the query or in the body; undefined if nothing was. */
  readonly dryRun?: unknown
}

interface SentToEndpoint extends SentParameters {
  readonly endpoint: Endpoint
  /** The parameters in the path, unchanged. */
  readonly path: RawParameters
  /** Values from the path, if they were read before. */
  readonly known?: ReadParameters['path']
}

interface ReadParameters {
  readonly path: Readonly<Record<string, unknown>>
  readonly values: Readonly<Record<string, unknown>>
  readonly translationOf: number | undefined
  readonly isDry: boolean
}

const none: Arguments = {}
const dryRunArguments: Arguments = { [dryRunName]: dryRunArgument }

/** Reads the values in a path, before anything else is checked. */
export async function readPath(
  deps: Deps,
  exchange: Exchange,
  { endpoint, path: sent }: Pick<SentToEndpoint, 'endpoint' | 'path'>,
): Promise<ReadParameters['path']> {
  const [path = {}] = await readArguments([{ args: endpoint.path, sent }], contextOf(deps, exchange))
  return path
}

/**
 * Reads the parameters of a request by the table of its endpoint. In the contract's namespace this includes the path.
 *
 * @throws rest_invalid_param, rest_missing_callback_param
 */
export async function readParameters(
  deps: Deps,
  exchange: Exchange,
  { endpoint, path: sentPath, parameters: sent, dryRun, known: inPath = {} }: SentToEndpoint,
): Promise<ReadParameters> {
  const { config } = deps
  const { isContract, hasDryRuns } = exchange.policy
  const { translationOf: translation } = languageParameterNames(config)
  const readsLanguage = chooseLanguage(exchange, endpoint, sent)
  const known = new Set([config.languageParameter, translation, dryRunName, ...Object.keys(sentPath)])
  if (!isContract) reportUnknownParameters(exchange.parameterReport, Object.keys(sent), { args: endpoint.args, known })
  const groups = [
    { args: isContract ? endpoint.path : none, sent: sentPath },
    { args: isContract ? pathNamesSentAsObjects(endpoint, sent) : none, sent },
    { args: endpoint.args, sent },
    { args: readsLanguage ? languageArguments(config) : none, sent },
    { args: hasDryRuns && isWrite(endpoint) ? dryRunArguments : none, sent: { [dryRunName]: dryRun } },
    { args: endpoint.translationOf ? { [translation]: translationArgument(endpoint.translationOf) } : none, sent },
  ]
  const context = contextOf(deps, exchange, inPath)
  const [path, , values = {}, , drying, translating] = await readArguments(groups, context, exchange.parameterReport)
  return {
    path: isContract ? (path ?? {}) : inPath,
    values,
    isDry: drying?.[dryRunName] === true,
    translationOf: translating?.[translation] as number | undefined,
  }
}

function contextOf(
  { config, storage, now }: Deps,
  { policy, caller, language }: Exchange,
  path: ReadParameters['path'] = {},
): ArgumentContext {
  return {
    ...{ config, db: storage.db, actor: caller.actor, path },
    // Terms that a request of our own namespaces names are looked up in the language of the site.
    language: policy.isContract ? language : undefined,
    // A rule that reads the clock makes the answer depend on the time.
    get now() {
      return now()
    },
  }
}

/** Notes the language that a request asks for. Contract: it is also that of the texts. Returns whether it may ask for one. */
function chooseLanguage(exchange: Exchange, { hasLanguage }: Endpoint, sent: RawParameters): boolean {
  const { config } = exchange
  const { isContract } = exchange.policy
  if (!isContract && !hasLanguage) return false
  const asked = config.languages.find((language) => language === sent[config.languageParameter])
  if (asked) exchange.language = asked
  if (asked && isContract) exchange.textLanguage = spokenLanguageOf(asked) ?? exchange.textLanguage
  return true
}

/**
 * Contract: the path wins over parameters of its names (conventions.md §9 row 1), but one that is an object or a list is
 * refused, as it is in the reference.
 */
function pathNamesSentAsObjects({ path }: Endpoint, sent: RawParameters): Arguments {
  return Object.fromEntries(
    Object.entries(path).flatMap(([name, argument]) => {
      if (typeof sent[name] !== 'object' || sent[name] === null) return []
      const fault = argument.type === 'integer' ? 'fault.whole-number' : 'fault.string'
      return [[name, { ...argument, read: () => refused(fault) }]]
    }),
  )
}

/** Returns an answer with the fields that a request asks for (conventions.md §6). */
export function withFields(answer: EndpointResult, sent: RawParameters): EndpointResult {
  const named = itemsOf(sent._fields)
  if ('fault' in named || named.value.every((name) => name === '')) return answer
  const fields = named.value.filter((name) => typeof name === 'string')
  return { ...answer, body: keepFields(answer.body, [...fields, ...(answer.alwaysKept ?? [])]) }
}
