// Menus close like those of a system: by Escape, or by a click beside them. Used on pages and at the desk.

function closeMenus(returning) {
  for (const menu of document.querySelectorAll('details[data-menu][open]')) menu.open = false
  returning?.querySelector('summary').focus()
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closeMenus(event.target.closest('details[data-menu]'))
})

document.addEventListener('click', (event) => {
  if (!event.target.closest('details[data-menu]')) closeMenus()
})
