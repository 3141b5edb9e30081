// filled by its first commit
