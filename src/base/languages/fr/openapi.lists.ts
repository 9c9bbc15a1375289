import type { listTexts as english } from '../en/openapi.lists.ts'

/** Les textes des routes qu’utilisent les longues listes du bureau\u00a0: importations, images et vues enregistrées. */
export const listTexts = {
  'imports.create': 'Importer une liste enregistrée d’un autre calendrier',
  'imports.create.about':
    'Le corps est une réponse d’une interface `tribe/events/v1`, ou de celle-ci\u00a0: une liste d’événements, de lieux, d’organisateurs, de catégories ou d’étiquettes. Les fiches déjà importées sont reconnues et mises à jour. Au plus 16\u00a0Mo. Envoyez d’abord `dry_run` pour voir ce qui arriverait. Pour les réviseurs et les administrateurs.',
  Import: 'Ce qu’une importation a fait, ou ferait.',
  'Import.dry_run': 'Si rien n’a été changé.',
  'Import.found': 'Le nombre d’événements du fichier.',
  'Import.counts': 'Les fiches d’une sorte.',
  'Import.created': 'Le nombre de nouvelles fiches.',
  'Import.updated': 'Le nombre de fiches modifiées.',
  'Import.unchanged': 'Le nombre de fiches identiques.',
  'Import.failed': 'Le nombre de fiches qui n’ont pu être importées.',
  'Import.skipped_images': 'Le nombre de fiches dont l’image n’est pas copiée.',
  'Import.protected_events': 'Le nombre d’événements à mot de passe, dont le fichier n’a pas les textes.',
  'Import.failures': 'Pourquoi des fiches n’ont pas été importées; au plus 500.',
  'Import.warnings': 'Ce qui a été changé dans les fiches importées; au plus 500.',
  'Import.path': 'L’endroit dans le fichier, comme `events[12]`; vide pour tout le fichier.',
  'Import.text': 'Ce qui ne va pas, en anglais.',
  'media.usage': 'Lister les images avec ce qui les montre',
  'media.usage.about':
    'D’abord les plus récentes, avec leur version pour `If-Match`. Chacune nomme au plus cinq fiches qui la montrent et que l’appelant peut lire.',
  MediaUsage: 'Des images avec ce qui les montre.',
  'MediaUsage.items': 'Les images de la page.',
  'MediaUsage.version': 'La version de l’image.',
  'MediaUsage.uses': 'Le nombre de fiches qui la montrent, y compris dans la corbeille.',
  'MediaUsage.used_by': 'Les plus récentes fiches qui la montrent.',
  'MediaUsage.id': 'L’identifiant de la fiche.',
  'MediaUsage.kind': 'La sorte de la fiche.',
  'MediaUsage.total': 'Le nombre d’images.',
  'MediaUsage.total_pages': 'Le nombre de pages.',
} as const satisfies Readonly<Record<keyof typeof english, string>>
