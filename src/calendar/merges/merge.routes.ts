import type { Actor } from '../../access/auth/actor.ts'
import { mayEditOthers, mayManage } from '../../access/auth/policy.ts'
import { numberArgument, pathArgument } from '../../access/http/arguments/argument.kinds.ts'
import type { Argument, Arguments } from '../../access/http/arguments/argument.ts'
import { endpoint, type Route } from '../../access/http/route.ts'
import { fail, failParameter } from '../../base/problems.ts'
import { findEntry, listEntryTranslations } from '../directory/directory.repository.ts'
import { restoreEntry, trashEntry } from '../directory/directory.service.ts'
import type { Directory, DirectoryEntry, Fields } from '../directory/directory.ts'
import { validatorsInPath } from '../records/record.validators.ts'
import { findTerm } from '../terms/term.repository.ts'
import { pluralOf, type Taxonomy } from '../terms/term.ts'
import { outcomeArguments, presentEvents, presentUndo, undoEndpoint } from '../undo/undo.routes.ts'
import type { StatedEvent } from '../undo/undo.ts'
import { merge, undoMerge } from './merge.service.ts'
import { mergeableTerms, readTermUsage } from './merge.terms.ts'
import type { Mergeable, MergeTranslation } from './merge.ts'

const schemas = () => import('./merge.schema.ts')

/** Merging a venue or an organizer into another one, and undoing it. */
export function mergeRoutes<F extends Fields>(directory: Directory<F>): readonly Route[] {
  const { kind, plural, tag } = directory
  return routesOf(mergeableEntries(directory), {
    ...{ plural, tag, singular: tag.slice(0, -1), isOpenTo: mayEditOthers, validators: validatorsInPath(kind) },
    ...{ about: 'merge.about', undoAbout: 'merge.undo.about', problems: [`${kind}-is-in-trash`] },
    answer: { schema: async () => (await schemas()).MergedRecordSchema },
  })
}

/** Merging categories or tags, and what they are used for. */
export function termMergeRoutes(taxonomy: Taxonomy): readonly Route[] {
  const plural = pluralOf(taxonomy)
  const tag = taxonomy === 'category' ? 'Categories' : 'Tags'
  const singular = taxonomy === 'category' ? 'Category' : 'Tag'
  const isOpenTo = (actor: Actor) => mayManage(actor, taxonomy)
  const usage = endpoint({
    ...{ methods: ['GET'], operation: `get${singular}Usage`, summary: `${plural}.usage` },
    // It counts all events of the term.
    isShort: () => false,
    answer: { schema: async () => (await schemas()).TermUsageSchema },
    problems: ['rest_forbidden', 'record-not-found'],
    ...{ path: pathOf(taxonomy), args: {}, isOpenTo },
    handle: async ({ deps: { storage }, path: { id = 0 } }) => ({
      ...{ status: 200, body: await readTermUsage(storage.db, taxonomy, id) },
    }),
  })
  return [
    { path: `/${plural}/{id}/usage`, tag, endpoints: [usage] },
    ...routesOf(mergeableTerms(taxonomy), {
      ...{ plural, tag, singular, isOpenTo },
      ...{ about: 'merge.term.about', undoAbout: 'merge.term.undo.about', problems: [] },
      answer: { schema: async () => (await schemas()).MergedTermSchema },
      validators: async (db, { id }, { actor }) => {
        const term = isOpenTo(actor) ? await findTerm(db, taxonomy, Number(id)) : undefined
        return term && { version: term.changeCount }
      },
    }),
  ]
}

const pathOf = <K extends Mergeable['kind']>(kind: K) =>
  ({ id: pathArgument('record-not-found', `id.${kind}`) }) as const satisfies Arguments

const intoArgument = { ...numberArgument('merge.into'), isRequired: true } as const satisfies Argument<number>

function routesOf<V extends MergeTranslation>(
  mergeable: Mergeable<V>,
  {
    plural,
    tag,
    singular,
    undoAbout,
    validators,
    problems,
    ...definition
  }: Pick<Route, 'tag' | 'validators'> & {
    readonly plural: 'venues' | 'organizers' | 'categories' | 'tags'
    readonly singular: string
    readonly isOpenTo: (actor: Actor) => boolean
    readonly about: 'merge.about' | 'merge.term.about'
    readonly undoAbout: 'merge.undo.about' | 'merge.term.undo.about'
    readonly problems: readonly ('venue-is-in-trash' | 'organizer-is-in-trash')[]
    readonly answer: Parameters<typeof undoEndpoint>[0]['answer']
  },
): readonly Route[] {
  const mergeEndpoint = endpoint({
    ...definition,
    ...{ methods: ['POST'], remembersAnswer: {}, operation: `merge${singular}`, summary: `${plural}.merge` },
    problems: ['rest_forbidden', 'record-not-found', ...problems],
    path: pathOf(mergeable.kind),
    args: { into: intoArgument, ...outcomeArguments } as const satisfies Arguments,
    handle: async (call) => {
      const { into = 0, dry_run: isDry = false } = call.values
      const order = { fromId: call.path.id ?? 0, intoId: into }
      const { events, told, id } = await merge({ ...call, mergeable }, order, isDry)
      const undo = presentUndo(call, `/${plural}/merge`, id)
      return { status: 200, body: { dry_run: isDry, ...presentEvents(events, call, statusOf), ...told, undo } }
    },
  })
  const undo = undoEndpoint({
    ...{ operation: `undoMerge${singular}`, summary: `${plural}.merge.undo`, about: undoAbout },
    answer: { schema: async () => (await schemas()).UnmergedRecordSchema },
    ...{ problem: 'merge-not-found', description: 'id.merge', isOpenTo: definition.isOpenTo },
    undo: async (call, { id, isDry }) => {
      const { events, skipped } = await undoMerge({ ...call, mergeable }, id, isDry)
      return { ...presentEvents(events, call, statusOf), skipped }
    },
  })
  return [
    { path: `/${plural}/{id}/merge`, tag, endpoints: [mergeEndpoint], ...(validators && { validators }) },
    { path: `/${plural}/merge/{id}/undo`, tag, endpoints: [undo] },
  ]
}

const statusOf = ({ status }: StatedEvent) => ({ status })

/** How venues or organizers are merged: the merged one goes to the trash. */
function mergeableEntries<F extends Fields>(directory: Directory<F>): Mergeable<DirectoryEntry<F>> {
  const { kind } = directory
  return {
    kind,
    read: async (db, id) => {
      const entry = (await findEntry(db, directory, id)) ?? fail('record-not-found')
      return entry.status === 'trash' ? fail(`${kind}-is-in-trash`) : entry
    },
    find: async (db, id) => {
      const entry = await findEntry(db, directory, id)
      return entry?.status === 'trash' ? undefined : entry
    },
    listTranslationsInGroups: (db, ids) => listEntryTranslations(db, directory, ids),
    check: async (_db, _pair, { merged, target }) => {
      // Public events would lose their place or organizer.
      if (merged.status === 'publish' && target.status !== 'publish') failParameter('into', 'fault.merge-unpublished')
    },
    tell: async (_db, { from, into }) => {
      const isLost = ({ language, status }: DirectoryEntry<F>) =>
        status !== 'trash' && !into.some((one) => one.status !== 'trash' && one.language === language)
      return { lost_languages: from.filter(isLost).map(({ language }) => language) }
    },
    takeAway: async (write, { from }) => {
      const trashed = from.filter(({ status }) => status !== 'trash').map(({ id }) => id)
      for (const id of trashed) await trashEntry(write, directory, id)
      return { trashed }
    },
    giveBack: async (write, { trashed }) => {
      for (const { id, status } of await listEntryTranslations(write.tx, directory, trashed)) {
        if (status === 'trash' && trashed.includes(id)) await restoreEntry(write, directory, id)
      }
    },
  }
}
