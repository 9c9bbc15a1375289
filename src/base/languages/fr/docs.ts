import type { DocsTexts } from '../en/docs.ts'

/** Les textes de la page de référence, en français du Canada, sous les mêmes clés qu’en anglais. */
export const docsTexts: DocsTexts = {
  title: '{site} : référence de l’API',
  models: 'Schémas',
  'sign-in-type': 'Type : {type}',
  document: 'Document OpenAPI',
  'service-document': 'Document OpenAPI du service',
  events: 'Événements',
  service: 'Comptes, médias, journal',
  copy: 'Copier',
  menu: 'Autres options',
  index: 'Répertoire',
  'no-script': 'Cette page a besoin de JavaScript. Sans JavaScript, l’interface est décrite ici :',
}
