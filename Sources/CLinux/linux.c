int clinux_placeholder;
