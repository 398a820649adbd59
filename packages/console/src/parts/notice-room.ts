/** Keeps as much room free below the page as its notices cover, for the rules of narrow screens, where they are as wide as the page. */
import { useNotifications } from '@mantine/notifications';
import { useEffect } from 'react';

const list = '.mantine-Notifications-root[data-position="bottom-right"]';

export function NoticeRoom() {
  const { notifications } = useNotifications();
  const isEmpty = notifications.length === 0;
  useEffect(() => {
    const root = isEmpty ? null : document.querySelector<HTMLElement>(list);
    if (root === null) return;
    const { style } = document.documentElement;
    const measure = (): void =>
      style.setProperty('--notices', `${Math.max(0, window.innerHeight - root.getBoundingClientRect().top)}px`);
    const observer = new ResizeObserver(measure);
    observer.observe(root);
    return () => {
      observer.disconnect();
      style.removeProperty('--notices');
    };
  }, [isEmpty]);
  return null;
}
