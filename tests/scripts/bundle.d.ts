// What playground/ui/server/script_bundle.py adds to the scripts: the text of each style sheet by its path.
declare const STYLES: Record<string, string>;
