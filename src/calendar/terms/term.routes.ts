import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayManage } from '../../access/auth/policy.ts'
import { type Addresses, query, routeUrl } from '../../access/http/addresses.ts'
import type { Arguments, ArgumentValues, RawParameters } from '../../access/http/arguments/argument.ts'
import {
  formatSent,
  type PageRequest,
  pageRequest,
  type QueryPairs,
  totalHeaders,
  totalPages,
} from '../../access/http/arguments/paging.ts'
import type { Call, Method } from '../../access/http/call.ts'
import { shortList } from '../../access/http/read.cost.ts'
import { type EndpointResult, endpoint, openToAll, type Route, recordHeaders } from '../../access/http/route.ts'
import { type Replay, writeOnce } from '../../access/idempotency/idempotency.ts'
import { fullLanguageChain, listPreference } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { failParameter, type ProblemCode } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { changesCursorHeader } from '../changelog/change.log.repository.ts'
import { writeContext } from '../records/write.context.ts'
import { listTranslationIdsInOrder } from '../translations/group.repository.ts'
import { translationOf } from '../translations/group.service.ts'
import { contentLanguage, readContext } from '../translations/viewer.ts'
import { termId, termListArguments, termWriteArguments, translatedTermRule, viewArguments } from './term.arguments.ts'
import { changeTerm, createTerm, deleteTerm, type TermPatch } from './term.change.service.ts'
import { listNamedTerms } from './term.former.ts'
import { listTerms } from './term.list.repository.ts'
import { presentSingleTerm, presentTerm, type TermView, termRouteUrl } from './term.present.ts'
import { findTerm, findTermWithAncestors, isSlugTaken, withTranslations } from './term.repository.ts'
import { pluralOf, type Taxonomy, type TermWithAncestors, topLevel } from './term.ts'

const nouns = { category: ['Category', 'Categories'], tag: ['Tag', 'Tags'] } as const

const schemas = {
  category: {
    one: async () => (await import('./term.schema.ts')).CategorySchema,
    list: async () => (await import('./term.schema.ts')).CategoryListSchema,
  },
  tag: {
    one: async () => (await import('./term.schema.ts')).TagSchema,
    list: async () => (await import('./term.schema.ts')).TagListSchema,
  },
}

function writeProblems(taxonomy: Taxonomy): readonly ProblemCode[] {
  const isFlat = taxonomy === 'tag' ? (['rest_taxonomy_not_hierarchical'] as const) : []
  return ['rest_forbidden', 'empty_term_name', 'db_insert_error', ...isFlat]
}

/** Returns the two routes of categories or of tags (terms.md §1). */
export function termRoutes(taxonomy: Taxonomy): readonly Route[] {
  const [, tag] = nouns[taxonomy]
  const path = `/${pluralOf(taxonomy)}`
  return [
    { path, tag, endpoints: [listEndpoint(taxonomy), createEndpoint(taxonomy)] },
    {
      path: `${path}/{id}`,
      tag,
      endpoints: itemEndpoints(taxonomy),
      validators: async (db, { id }, { actor }) => {
        const term = mayManage(actor, taxonomy) ? await findTerm(db, taxonomy, Number(id)) : undefined
        return term && { version: term.changeCount }
      },
    },
  ]
}

function listEndpoint(taxonomy: Taxonomy) {
  const args = termListArguments(taxonomy)
  const names = declaredNames(args)
  return endpoint({
    methods: ['GET'],
    operation: `list${nouns[taxonomy][1]}`,
    summary: `${pluralOf(taxonomy)}.list`,
    answer: { schema: schemas[taxonomy].list, headers: ['X-TEC-Total', 'X-TEC-TotalPages', 'X-Changes-Cursor'] },
    problems: ['rest_forbidden'],
    args,
    isOpenTo: openToAll,
    isShort: shortList({ free: ['hide_empty', 'order'], filters: ['event', 'post', 'parent'] }),
    handle: (call) => answerList(taxonomy, names, call),
  })
}

async function answerList(
  taxonomy: Taxonomy,
  names: readonly string[],
  call: Call<Record<never, never>, ReturnType<typeof termListArguments>>,
): Promise<EndpointResult> {
  const { deps, actor, values, addresses } = call
  const { config, storage } = deps
  assertMaySee(actor, taxonomy, values.context)
  const request = pageRequest(call, config)
  tellWithoutEffect(call)
  const eventIds = values.event ?? values.post
  const cursor = await changesCursorHeader(storage.db)
  const versionsOf = (ids: readonly number[] | undefined) => ids && listTranslationIdsInOrder(storage.db, 'terms', ids)
  const { items, total } = await listTerms(readContext(call), {
    ...request,
    taxonomy,
    preference: listPreference(call.language, config, config.namesFallback),
    search: values.search,
    include: await versionsOf(values.include),
    exclude: await versionsOf(values.exclude),
    sortKey: values.orderby ?? 'name_folded',
    isDescending: values.order ?? false,
    // Contract: an event shows all its terms.
    isUsed: eventIds === undefined && (values.hide_empty ?? true),
    parentIds:
      values.parent === topLevel
        ? [topLevel]
        : await versionsOf(values.parent === undefined ? undefined : [values.parent]),
    eventIds,
    slug: values.slug === undefined ? undefined : await currentSlug(call, taxonomy, slugFrom(values.slug)),
    offset: values.offset,
  })
  const { rest_url, ...others } = termLinks(call, names, { ...request, taxonomy, total })
  return {
    status: 200,
    body: {
      rest_url,
      total,
      total_pages: totalPages(total, request.perPage),
      [pluralOf(taxonomy)]: items.map((term) => presentTerm(term, addresses, values.context)),
      ...others,
    },
    headers: { ...totalHeaders(total, request.perPage), ...cursor, ...contentLanguage(items) },
  }
}

/** Returns the slug that a term with this former slug has now, or the slug itself. */
async function currentSlug({ deps, language }: Pick<Call, 'deps' | 'language'>, taxonomy: Taxonomy, slug: string) {
  const { config, storage } = deps
  const wanted = [{ id: undefined, slug, name: undefined }]
  const preference = fullLanguageChain(language ?? config.defaultLanguage, config)
  const { terms } = await listNamedTerms(storage.db, { taxonomy, wanted }, preference)
  return terms.some((term) => term.slug === slug) ? slug : (terms[0]?.slug ?? slug)
}

/** Contract: some parameters have no effect beside others (terms.md §3.1). */
function tellWithoutEffect({
  values,
  sent,
  parameterReport,
}: Call<Record<never, never>, ReturnType<typeof termListArguments>>): void {
  if (values.include && values.exclude) parameterReport.ignore('exclude')
  if (values.event && values.post) parameterReport.ignore('post')
  if (values.offset !== undefined && sent.page !== undefined) parameterReport.ignore('page')
  if (values.orderby === 'include' && !values.include) parameterReport.adjust('orderby', { to: 'name' })
}

function createEndpoint(taxonomy: Taxonomy) {
  return endpoint({
    methods: ['POST'],
    isRepeatable: true,
    isBatchable: true,
    operation: `create${nouns[taxonomy][0]}`,
    summary: `${pluralOf(taxonomy)}.create`,
    answer: { status: 201, schema: schemas[taxonomy].one, headers: ['Location', ...recordHeaders] },
    problems: [...writeProblems(taxonomy), 'term_exists'],
    args: termWriteArguments(taxonomy, { isNameRequired: true }),
    isOpenTo: (actor) => mayManage(actor, taxonomy),
    translationOf: translatedTermRule(taxonomy),
    isTaken: async (tx, { slug = '' }, { language, defaultLanguage }) =>
      slugFrom(slug) !== '' &&
      (await isSlugTaken(tx, slugFrom(slug), { taxonomy, language: language ?? defaultLanguage })),
    handle: async (call) => {
      const { actor, values, sent, addresses } = call
      const draft = { ...translationOf(call), draft: patchOf(values, sent) }
      const term = await writeOnce(call, replayTerm(call, taxonomy), (tx) =>
        createTerm(writeContext(call, tx), taxonomy, draft),
      )
      const shown = await withVersionsOf(call, term)
      return {
        status: 201,
        body: presentSingleTerm(shown, addresses, { allow: itemMethods(taxonomy, actor) }),
        headers: { Location: termRouteUrl(addresses, taxonomy, term.id), ...contentLanguage([term]) },
        version: term.changeCount,
      }
    },
  })
}

/** Reads, changes and deletes one term. */
function itemEndpoints(taxonomy: Taxonomy) {
  const [singular] = nouns[taxonomy]
  const path = { id: termId(taxonomy) }
  const plural = pluralOf(taxonomy)
  const schema = schemas[taxonomy].one
  const answer = { schema, headers: recordHeaders }
  const isOpenTo = (actor: Actor) => mayManage(actor, taxonomy)
  return [
    endpoint({
      methods: ['GET'],
      operation: `get${singular}`,
      summary: `${plural}.get`,
      answer,
      problems: ['rest_forbidden'],
      path: { id: termId(taxonomy, true) },
      args: viewArguments,
      isOpenTo: openToAll,
      handle: async ({ deps, actor, path: { id }, values, addresses, allow, language }) => {
        assertMaySee(actor, taxonomy, values.context)
        const term = await findTermWithAncestors(deps.storage.db, { taxonomy, id }, { language })
        if (!term) return failParameter('id', `fault.unknown-${taxonomy}`)
        const body = presentSingleTerm(term, addresses, { allow: await allow(), view: values.context })
        return { status: 200, body, headers: contentLanguage([term]), version: term.changeCount }
      },
    }),
    endpoint({
      methods: ['POST', 'PUT', 'PATCH'],
      isRepeatable: true,
      isBatchable: true,
      operation: `change${singular}`,
      summary: `${plural}.change`,
      about: 'change.about',
      answer,
      problems: [...writeProblems(taxonomy), 'duplicate_term_slug'],
      path,
      args: termWriteArguments(taxonomy, { isNameRequired: false }),
      isOpenTo,
      translationOf: translatedTermRule(taxonomy),
      handle: async (call) => {
        const { path, values, sent, addresses, allow, translationOf } = call
        const change = { id: path.id, patch: patchOf(values, sent), translationOf }
        const term = await writeOnce(call, replayTerm(call, taxonomy), (tx) =>
          changeTerm(writeContext(call, tx), taxonomy, change),
        )
        const body = presentSingleTerm(await withVersionsOf(call, term), addresses, { allow: await allow() })
        return { status: 200, body, headers: contentLanguage([term]), version: term.changeCount }
      },
    }),
    endpoint({
      methods: ['DELETE'],
      isRepeatable: true,
      isBatchable: true,
      operation: `delete${singular}`,
      summary: `${plural}.remove`,
      about: `${plural}.remove.about`,
      answer: { schema },
      problems: ['rest_forbidden'],
      path,
      isOpenTo,
      handle: async (call) => {
        const { path: found, addresses, language } = call
        const term = await writeOnce(call, replayTerm(call, taxonomy), (tx) =>
          deleteTerm(writeContext(call, tx), taxonomy, { id: found.id, language }),
        )
        return { status: 200, body: presentTerm(term, addresses), headers: contentLanguage([term]) }
      },
    }),
  ]
}

/** How the result of a term's write is found again. A term that is gone is shown as it was. */
const replayTerm = ({ actor }: Pick<Call, 'actor'>, taxonomy: Taxonomy): Replay<TermWithAncestors> => ({
  remember: (term) => term,
  recall: async (tx, remembered) => {
    assertAllowed(actor, mayManage(actor, taxonomy))
    const term = remembered as TermWithAncestors
    return (await findTermWithAncestors(tx, { taxonomy, id: term.id })) ?? term
  },
})

async function withVersionsOf(
  call: Pick<Call, 'deps' | 'language'>,
  term: TermWithAncestors,
): Promise<TermWithAncestors> {
  const [found] = await withTranslations(call.deps.storage.db, call, [term])
  return { ...term, ...found }
}

/** Returns the methods that the caller may use on one term. After a creation, the current route is that of the list. */
function itemMethods(taxonomy: Taxonomy, actor: Actor): readonly Method[] {
  return itemEndpoints(taxonomy).flatMap(({ methods, isOpenTo }) => (isOpenTo(actor, undefined) ? methods : []))
}

/** Terms are public, but the `edit` view requires the right to edit. */
function assertMaySee(actor: Actor, taxonomy: Taxonomy, view: TermView | undefined): void {
  assertAllowed(actor, view !== 'edit' || mayManage(actor, taxonomy))
}

/** Links repeat only the parameters that the index declares. */
function declaredNames(args: Arguments): readonly string[] {
  return Object.keys(args).filter((name) => !args[name]?.isExtension)
}

/** Returns the sent values in the shape that the service takes. */
function patchOf(values: ArgumentValues<ReturnType<typeof termWriteArguments>>, sent: RawParameters): TermPatch {
  const { name, description, slug, parent } = values
  return { name, description, slug, parentId: parent, hasParent: sent.parent !== undefined }
}

/** The values that the addresses of a list are made from. */
interface TermListCall {
  readonly addresses: Addresses
  readonly sent: RawParameters
  readonly language: Language | undefined
}

interface TermListOutline extends PageRequest {
  readonly taxonomy: Taxonomy
  readonly total: number
}

/**
 * Returns the addresses of the pages of a list of terms: this page, and the next and the previous if they exist. They
 * contain exactly the sent parameters, with the page size in force. Next and previous have `page` at the end, except
 * for page 1, which has no `page` (rulings.md 3, 5).
 *
 * @param names The declared parameters, in the order of the route.
 */
function termLinks(
  { addresses, sent, language }: TermListCall,
  names: readonly string[],
  { taxonomy, page, perPage, total }: TermListOutline,
) {
  const shown = (name: string) => (name === 'per_page' ? perPage : formatSent(sent[name]))
  const pairs: QueryPairs = names.flatMap((name) => (sent[name] === undefined ? [] : [[name, shown(name)] as const]))
  const filters = pairs.filter(([name]) => name !== 'page')
  const end: QueryPairs = language === undefined ? [] : [[addresses.languageParameter, language]]

  const url = (own: QueryPairs) => {
    const asked = query([...own, ...end])
    return `${routeUrl(addresses, `/${pluralOf(taxonomy)}/`)}${asked === '' ? '' : `?${asked}`}`
  }
  const other = (number: number) => url(number === 1 ? filters : [...filters, ['page', number]])
  return {
    rest_url: url(pairs),
    ...(page < totalPages(total, perPage) ? { next_rest_url: other(page + 1) } : {}),
    // Contract: also if the previous page is after the last one too (terms.md §3.3).
    ...(page > 1 ? { previous_rest_url: other(page - 1) } : {}),
  }
}
