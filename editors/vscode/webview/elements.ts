// Elements of the page. Texts are always set as text, never as HTML.

export function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== '') made.textContent = text;
  return made;
}

export function button(text: string, label: string, click: () => void): HTMLElement {
  const made = element('button', 'small', text);
  made.setAttribute('type', 'button');
  made.setAttribute('aria-label', label);
  made.addEventListener('click', click);
  return made;
}
